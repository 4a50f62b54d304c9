package io.canopygrid.ycsb;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.config.ClusterConfigFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;

/**
 * The node that all {@link CanopyDB}s of a JVM share. The node is started for the first of them and
 * closed after the last. Thread-safe.
 *
 * <p>The property {@code canopy.uri}, {@code canopy://host:port,…}, makes it a remote client; the
 * properties below must then be absent. {@code canopy.config} names a configuration file. {@code
 * canopy.name}, {@code canopy.bindAddress}, {@code canopy.port} and {@code canopy.members}
 * (host:port,…) are the settings of {@link ClusterConfig} with these names, and win over the file.
 * Without any of these properties it is a single node, whose data ends with the JVM; YCSB's load
 * and run phases are two JVMs and need a cluster to join. {@link CanopyDB#READ_FROM} may be set
 * with all of them.
 */
final class SharedNode {
  private static final String PREFIX = "canopy.";
  private static final Set<String> KNOWN =
      Set.of(
          "canopy.uri",
          "canopy.config",
          "canopy.name",
          "canopy.bindAddress",
          "canopy.port",
          "canopy.members");

  private static @Nullable Canopy node;
  private static int users;

  private SharedNode() {}

  /**
   * The node, which is started for its first user.
   *
   * @param ownProperty the property that the caller itself reads
   */
  static synchronized Canopy acquire(Properties properties, String ownProperty) throws DBException {
    if (node == null) {
      node = start(properties, ownProperty);
    }
    users++;
    return node;
  }

  /** Closes the node if this was its last user. */
  static synchronized void release() {
    users--;
    if (users == 0 && node != null) {
      node.close();
      node = null;
    }
  }

  private static Canopy start(Properties properties, String ownProperty) throws DBException {
    try {
      refuseUnknown(properties, ownProperty);
      String uri = properties.getProperty("canopy.uri");
      if (uri != null) {
        refuseBeside(properties);
        return RemoteCanopy.connect(uri);
      }
      ClusterConfig config = config(properties);
      return config == null ? EmbeddedCanopy.start() : EmbeddedCanopy.join(config);
    } catch (CanopyException | IllegalArgumentException e) {
      throw new DBException(e);
    }
  }

  private static void refuseUnknown(Properties properties, String ownProperty) {
    TreeSet<String> unknown = new TreeSet<>(properties.stringPropertyNames());
    unknown.removeIf(
        name -> !name.startsWith(PREFIX) || KNOWN.contains(name) || name.equals(ownProperty));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown properties " + unknown + "; known are " + new TreeSet<>(KNOWN));
    }
  }

  private static void refuseBeside(Properties properties) {
    TreeSet<String> others = new TreeSet<>(KNOWN);
    others.remove("canopy.uri");
    others.retainAll(properties.stringPropertyNames());
    if (!others.isEmpty()) {
      throw new IllegalArgumentException("a client with canopy.uri has no use for " + others);
    }
  }

  private static @Nullable ClusterConfig config(Properties properties) {
    if (KNOWN.stream().noneMatch(properties::containsKey)) {
      return null;
    }
    String file = properties.getProperty("canopy.config");
    ClusterConfig config =
        file == null ? ClusterConfig.of("canopy") : ClusterConfigFile.load(Path.of(file));
    config = config.name(properties.getProperty("canopy.name", config.name()));
    config = config.bindAddress(properties.getProperty("canopy.bindAddress", config.bindAddress()));
    String port = properties.getProperty("canopy.port");
    if (port != null) {
      config = config.port(Integer.parseInt(port));
    }
    String members = properties.getProperty("canopy.members");
    return members == null ? config : config.members(List.of(members.split(",")));
  }
}
