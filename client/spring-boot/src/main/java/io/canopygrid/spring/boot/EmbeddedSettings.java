package io.canopygrid.spring.boot;

import io.canopygrid.Balancing;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The configuration of a node in this application. */
final class EmbeddedSettings {
  private EmbeddedSettings() {}

  static ClusterConfig of(CanopyProperties properties) {
    String name = properties.cluster().name();
    if (name == null) {
      throw new WrongSettingException(
          "canopy.cluster.name", "a node of a cluster needs the name of the cluster");
    }
    ClusterConfig named =
        new Settings<>("canopy.cluster.", ClusterConfig.of("canopy"))
            .with("name", name, ClusterConfig::name)
            .made();
    ClusterConfig member = cluster(named, properties.cluster());
    ClusterConfig called =
        new Settings<>("canopy.node.", member)
            .with("name", properties.node().name(), ClusterConfig::nodeName)
            .with("zone", properties.node().zone(), ClusterConfig::zone)
            .made();
    ClusterConfig stored = data(called, properties.data());
    return stored.balancing(balance(properties.balance()));
  }

  private static ClusterConfig cluster(ClusterConfig from, CanopyProperties.Cluster given) {
    return new Settings<>("canopy.cluster.", from)
        .with("bind-address", given.bindAddress(), ClusterConfig::bindAddress)
        .with("port", given.port(), ClusterConfig::port)
        .with("watch-port", given.watchPort(), ClusterConfig::watchPort)
        .with("exchange-port", given.exchangePort(), ClusterConfig::exchangePort)
        .with("members", given.members(), ClusterConfig::members)
        .with("found", given.found(), ClusterConfig::found)
        .with("owners", given.owners(), ClusterConfig::owners)
        .with("shards", given.shards(), ClusterConfig::shards)
        .with("join-timeout", given.joinTimeout(), ClusterConfig::joinTimeout)
        .with("failure-timeout", given.failureTimeout(), ClusterConfig::failureTimeout)
        .with("lock-timeout", given.lockTimeout(), ClusterConfig::lockTimeout)
        .with("leave-timeout", given.leaveTimeout(), ClusterConfig::leaveTimeout)
        .with("snapshot-age-max", given.snapshotAgeMax(), ClusterConfig::snapshotAgeMax)
        .with("retention", given.retention(), ClusterConfig::retention)
        .with(
            "state-bytes-per-second",
            given.stateBytesPerSecond(),
            (config, size) -> config.stateBytesPerSecond(atMostInt(size.toBytes())))
        .with("stack", given.stack(), ClusterConfig::stack)
        .with("identity", given.identity(), ClusterConfig::identity)
        .with("trust", given.trust(), ClusterConfig::trust)
        .with("trust-network", given.trustNetwork(), ClusterConfig::trustNetwork)
        .made();
  }

  private static int atMostInt(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, "must be less than 2 GiB: " + bytes);
    }
    return (int) bytes;
  }

  private static ClusterConfig data(ClusterConfig from, CanopyProperties.Data given) {
    return new Settings<>("canopy.data.", from)
        .with("directory", given.directory(), ClusterConfig::dataDirectory)
        .with("durability", given.durability(), ClusterConfig::durability)
        .with("reserve", given.reserve(), (config, size) -> config.dataReserve(size.toBytes()))
        .with("memory-max", given.memoryMax(), (config, size) -> config.memoryMax(size.toBytes()))
        .with("disk-timeout", given.diskTimeout(), ClusterConfig::diskTimeout)
        .with("rejoin-grace", given.rejoinGrace(), ClusterConfig::rejoinGrace)
        .made();
  }

  /** Applied at once: what Canopy says of a wrong value has its name. */
  private static Balancing balance(CanopyProperties.Balance given) {
    return new Settings<>("canopy.", Balancing.DEFAULTS)
        .with(
            "balance",
            given,
            (defaults, values) ->
                new Balancing(
                    orElse(values.enabled(), defaults.enabled()),
                    orElse(values.subtreesPerNode(), defaults.subtreesPerNode()),
                    orElse(values.minSubtreeEntries(), defaults.minSubtreeEntries()),
                    orElse(values.movedEntriesPerSecond(), defaults.movedEntriesPerSecond()),
                    orElse(values.placement(), defaults.placement()),
                    orElse(values.hotEntries(), defaults.hotEntries())))
        .made();
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }
}
