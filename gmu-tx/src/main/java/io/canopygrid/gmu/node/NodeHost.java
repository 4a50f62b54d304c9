package io.canopygrid.gmu.node;

/** What a {@link LaneNode} tells whoever runs it. No method may block but {@link #leave()}. */
public interface NodeHost {
  /** For a node that nobody else runs. */
  NodeHost NONE = new NodeHost() {};

  /** This node's copy of a shard that it joins is complete in this topology. */
  default void synced(long topology, int shard) {}

  /** A member has installed this topology, which is above the one installed here. */
  default void ahead(long topology) {}

  /**
   * The node is being closed and has nothing under way any more: leave the grid, and return when
   * this is done. Called once, on the closing thread.
   */
  default void leave() {}

  /** The node found itself to be wrong and has stopped, so that it cannot spread what is wrong. */
  default void failed(Throwable cause) {}
}
