package io.canopygrid.wire.client;

/**
 * The hot entries of a node in numbers.
 *
 * @param keys the hot entries of which it is the primary
 * @param copies of entries of other nodes that it keeps
 * @param reads that these copies have answered since the node's start
 * @param pushes that it has sent to nodes with copies since its start
 */
public record HotNode(String node, Mode mode, int keys, int copies, long reads, long pushes) {
  /** Whether a node has hot entries. */
  public enum Mode {
    /** Nobody has asked for them. */
    OFF,
    /** The node has them. */
    ON
  }
}
