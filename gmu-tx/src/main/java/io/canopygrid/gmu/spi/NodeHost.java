package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.Topology;

/**
 * Runs a node: gives it topologies, and hears from it what concerns membership.
 *
 * <p><b>Threads:</b> any thread may call, several at a time, without a lock of the node held. No
 * method may block except {@link #leave()} and {@link #prepareToLeave()}. <b>Order:</b> two calls
 * may come in either order, so a host compares the topologies' ids. <b>Errors:</b> an exception is
 * a bug of the host, and goes to the thread that brought the input.
 */
public interface NodeHost {
  /** For a node whose membership never changes. */
  NodeHost NONE = new NodeHost() {};

  /** The level of the grid; one object for the life of the node. */
  default GridLevel level() {
    return new GridLevel();
  }

  /** This node's copy of a shard that it joins is complete in this topology. */
  default void synced(long topology, int shard) {}

  /** Another member has installed this topology, whose id is above the one installed here. */
  default void ahead(long topology) {}

  /** The members of the topology installed last that the node can reach now, and the others. */
  default GridView view(Topology installed) {
    return GridView.complete(installed);
  }

  /**
   * The node is to be closed, and still serves: the host waits until its departure loses nothing,
   * for a bounded time. May block. Called once or more.
   */
  default void prepareToLeave() {}

  /**
   * As {@link #prepareToLeave}, for a node that will not come back, also where it has a disk.
   *
   * @throws io.canopygrid.gmu.node.LeaveException the others cannot do without it: it stays
   */
  default void prepareToLeaveForGood() {}

  /** The host waits no longer in {@link #prepareToLeave}, whatever is lost. */
  default void abandon() {}

  /** Whether the grid makes copies of shards right now, for which a departure would wait. */
  default boolean isHandingOver() {
    return false;
  }

  /**
   * The node is being closed and has nothing under way any more: the host leaves the grid, and
   * returns when this is done. Called once, on the closing thread.
   *
   * @throws io.canopygrid.gmu.node.LeaveException where it has left, and data may be lost
   */
  default void leave() {}

  /**
   * The node found a violation of its own invariants, or was told to stop, and has stopped so that
   * it cannot spread what is wrong. Called once at most. The host has to close the node, on a
   * thread that may block.
   *
   * @param cause what stopped it
   */
  default void failed(Throwable cause) {}
}
