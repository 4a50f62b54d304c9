package io.canopygrid.gmu.node;

/**
 * Hot entries at one node (protocol.md, Hot entries).
 *
 * @param keys hot ones among those that this node is the primary of
 * @param copies of keys of other nodes that are kept here
 * @param reads that copies here have answered since the start
 * @param pushes that were sent to keepers since the start
 */
public record HotFigures(int keys, int copies, long reads, long pushes) {
  /** Of a node that has none. */
  public static final HotFigures NONE = new HotFigures(0, 0, 0, 0);
}
