package io.canopygrid.gmu.node;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import java.util.List;

/**
 * Hot entries at one node (protocol.md, Hot entries).
 *
 * @param hot the hot keys among those that this node is the primary of
 * @param copies of keys of other nodes that are kept here
 * @param reads that copies here have answered since the start
 * @param pushes that were sent to keepers since the start
 */
public record HotFigures(Mode mode, List<Key> hot, int copies, long reads, long pushes) {
  /** Of a node that has none. */
  public static final HotFigures NONE = new HotFigures(Mode.OFF, List.of(), 0, 0, 0);

  /** Copies the list. */
  public HotFigures {
    hot = List.copyOf(hot);
  }

  /** Whether a node has hot entries. */
  public enum Mode {
    /** Nobody has asked for them. */
    OFF,
    /** The node has them. */
    ON
  }

  /**
   * A hot key.
   *
   * @param readsPerSecond at other nodes
   * @param copyReadsPerSecond those of these that copies have answered
   * @param keepers the nodes with a hot copy
   */
  public record Key(
      CompositeKey key, double readsPerSecond, double copyReadsPerSecond, List<NodeId> keepers) {
    /** Copies the list. */
    public Key {
      keepers = List.copyOf(keepers);
    }
  }

  /** The number of hot keys. */
  public int keys() {
    return hot.size();
  }
}
