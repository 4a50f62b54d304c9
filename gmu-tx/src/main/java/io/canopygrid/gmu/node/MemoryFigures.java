package io.canopygrid.gmu.node;

/**
 * The memory that the entries of a node take, and what its copies have of them.
 *
 * @param bytes more or less; 0: none are counted, as the node has no disk
 * @param bytesMax that they may take, before values are on the disk only; 0: as much as they need
 * @param closedCopies the copies whose disk is still being read
 */
public record MemoryFigures(long bytes, long bytesMax, int closedCopies) {
  /** That of a node that counts none. */
  public static final MemoryFigures NONE = new MemoryFigures(0, 0, 0);
}
