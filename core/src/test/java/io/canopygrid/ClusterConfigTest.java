package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static io.canopygrid.ErrorCode.CONFIG_INVALID;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.text.NearestName;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's configuration in code. */
final class ClusterConfigTest {
  private static final ClusterConfig SHOP = ClusterConfig.of("shop");

  @Test
  void defaults() {
    assertThat(SHOP)
        .isEqualTo(
            new ClusterConfig(
                "shop",
                "127.0.0.1",
                7800,
                0,
                0,
                List.of(),
                2,
                256,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ZERO,
                67_108_864,
                Optional.empty(),
                Balancing.DEFAULTS,
                FoundingPolicy.AUTO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty()));
  }

  @Test
  void aZoneIsANameOrASiteAndARack() {
    assertThat(SHOP.zone("eu-west-1a").zone()).contains("eu-west-1a");
    assertThat(SHOP.zone("vienna/rack_7").zone()).contains("vienna/rack_7");
    for (String wrong : List.of("", "/", "a/", "/b", "a/b/c", "a b", "x".repeat(65))) {
      assertCoded(CONFIG_INVALID, () -> SHOP.zone(wrong), "zone='" + wrong + "'");
    }
  }

  @Test
  void nodesKnowEachOtherByAnIdentityOrTrustTheirNetwork() {
    Path file = Path.of("cluster.pem");
    assertThat(SHOP.identity(file).trust(file).trust()).contains(file);
    assertThat(SHOP.trustNetwork(true).trustNetwork()).isTrue();
    assertCoded(CONFIG_INVALID, () -> SHOP.trust(file), "trust is given without an identity");
    assertCoded(
        CONFIG_INVALID,
        () -> SHOP.identity(file).trustNetwork(true),
        "trustNetwork and identity exclude each other");
  }

  @Test
  void valuesOutOfRange() {
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.of(""), "name=''");
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.of("a b"), "name='a b'");
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.of("x".repeat(65)), "1 to 64");
    assertCoded(CONFIG_INVALID, () -> SHOP.bindAddress("no host"), "bindAddress='no host'");
    assertCoded(CONFIG_INVALID, () -> SHOP.nodeName("vm 1"), "nodeName='vm 1'");
    assertCoded(CONFIG_INVALID, () -> SHOP.nodeName(""), "nodeName=''");
    assertCoded(CONFIG_INVALID, () -> SHOP.port(-1), "port=-1");
    assertCoded(CONFIG_INVALID, () -> SHOP.port(65_536), "from 0 to 65535");
    assertCoded(CONFIG_INVALID, () -> SHOP.watchPort(80), "watchPort=80");
    assertCoded(CONFIG_INVALID, () -> SHOP.exchangePort(7800), "port and exchangePort must differ");
    assertCoded(CONFIG_INVALID, () -> SHOP.watchPort(8000), "both are 8000");
    assertCoded(CONFIG_INVALID, () -> SHOP.exchangePort(7900), "both are 7900");
    assertCoded(CONFIG_INVALID, () -> SHOP.port(0).watchPort(7900), "is 0 where port is");
    assertCoded(CONFIG_INVALID, () -> SHOP.owners(0), "owners=0");
    assertCoded(CONFIG_INVALID, () -> SHOP.owners(9), "owners=9");
    assertCoded(CONFIG_INVALID, () -> SHOP.shards(0), "shards=0");
    assertCoded(CONFIG_INVALID, () -> SHOP.shards(4097), "shards=4097");
    assertCoded(CONFIG_INVALID, () -> SHOP.joinTimeout(Duration.ofMillis(999)), "joinTimeout");
    assertCoded(
        CONFIG_INVALID,
        () -> SHOP.failureTimeout(Duration.ofSeconds(Long.MAX_VALUE)),
        "failureTimeout");
    assertCoded(CONFIG_INVALID, () -> SHOP.lockTimeout(Duration.ZERO), "lockTimeout=PT0S");
    assertCoded(CONFIG_INVALID, () -> SHOP.snapshotAgeMax(Duration.ofMillis(999)), "snapshotAge");
    assertCoded(CONFIG_INVALID, () -> SHOP.snapshotAgeMax(Duration.ofHours(2)), "snapshotAgeMax");
    assertCoded(CONFIG_INVALID, () -> SHOP.leaveTimeout(Duration.ofHours(2)), "leaveTimeout=PT2H");
    assertCoded(
        CONFIG_INVALID, () -> SHOP.stateBytesPerSecond(1 << 19), "stateBytesPerSecond=524288");
    assertCoded(CONFIG_INVALID, () -> SHOP.dataReserve(-1), "dataReserve=-1");
    assertCoded(CONFIG_INVALID, () -> SHOP.dataReserve((1L << 40) + 1), "to 1099511627776");
    assertCoded(CONFIG_INVALID, () -> SHOP.memoryMax((16 << 20) - 1), "memoryMax=16777215");
    Balancing balance = Balancing.DEFAULTS;
    assertCoded(CONFIG_INVALID, () -> balance.subtreesPerNode(0), "subtreesPerNode=0");
    assertCoded(CONFIG_INVALID, () -> balance.minSubtreeEntries(1), "minSubtreeEntries=1");
    assertCoded(CONFIG_INVALID, () -> balance.movedEntriesPerSecond(9), "movedEntriesPerSecond=9");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> ClusterConfig.of(nothing()), "name");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> SHOP.joinTimeout(nothing()), "joinTimeout");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> SHOP.members("a", nothing()), "member");
  }

  @Test
  void durabilityIsOfADataDirectory() {
    Path directory = Path.of("data");
    ClusterConfig onDisk = SHOP.dataDirectory(directory);

    assertThat(onDisk.dataDirectory()).contains(directory);
    assertThat(onDisk.durability()).isEmpty();
    assertThat(onDisk.durability(Durability.FSYNC).durability()).contains(Durability.FSYNC);
    assertThat(onDisk.durability(Durability.FSYNC).name("other").durability())
        .contains(Durability.FSYNC);
    assertThat(onDisk.dataReserve()).isEmpty();
    assertThat(onDisk.dataReserve(1L << 40).dataReserve()).contains(1L << 40);
    assertThat(onDisk.dataReserve(0).name("other").dataReserve()).contains(0L);
    assertThat(onDisk.memoryMax()).isEmpty();
    assertThat(onDisk.memoryMax(1L << 30).name("other").memoryMax()).contains(1L << 30);
    for (Durability durability : Durability.values()) {
      assertCoded(CONFIG_INVALID, () -> SHOP.durability(durability), "give the directory first");
    }
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> SHOP.dataDirectory(nothing()), "dataDirectory");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> onDisk.durability(nothing()), "durability");
  }

  @ParameterizedTest
  @CsvSource({
    "vm1, vm1, 7800",
    "vm1:1, vm1, 1",
    "10.0.0.1:65535, 10.0.0.1, 65535",
    "[::1]:7801, ::1, 7801",
    "[fe80::1%eth0], fe80::1%eth0, 7800",
    "fe80::1, fe80::1, 7800"
  })
  void membersAreHostsWithOrWithoutPort(String text, String host, int port) {
    assertThat(SHOP.members(text).members())
        .containsExactly(InetSocketAddress.createUnresolved(host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":7800",
        "vm1:",
        "vm1:0",
        "vm1:65536",
        "vm1:99999999999",
        "vm1:http",
        "vm 1",
        "vm1:7800:7801",
        "[::1",
        "::1]",
        "[]:7800",
        "[vm1:7800",
        "vm1,vm2"
      })
  void othersAreNoMembers(String text) {
    assertCoded(CONFIG_INVALID, () -> SHOP.members(text), "member='" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "abc, abc, 0",
    "abc, acb, 1",
    "abc, ab, 1",
    "ab, abc, 1",
    "abc, axc, 1",
    "kitten, sitting, 3",
    "'', abc, 3",
    "abc, '', 3"
  })
  void editsAreCounted(String a, String b, int edits) {
    assertThat(NearestName.edits(a, b)).isEqualTo(edits);
  }
}
