package io.canopygrid.btree.embedded;

import io.canopygrid.ClusterConfig;
import io.canopygrid.recovery.WaitListener;

/** The joining of a server, whose operator can say that disks are lost for which it waits. */
public final class ServerJoin {
  private ServerJoin() {}

  /**
   * Joins a cluster.
   *
   * @param waits hears for which disks of other nodes this one waits, and who can be told that they
   *     are lost; also when the node becomes a member again later
   * @throws io.canopygrid.CanopyException as {@link EmbeddedCanopy#join(ClusterConfig)}
   */
  public static EmbeddedCanopy join(ClusterConfig config, WaitListener waits) {
    return EmbeddedCanopy.joining(config, waits);
  }
}
