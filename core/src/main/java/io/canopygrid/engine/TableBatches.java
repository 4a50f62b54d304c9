package io.canopygrid.engine;

/**
 * The sizes of the transactions that build and drop the indexes of tables.
 *
 * @param rows most rows that one adds to an index: a writer of one of them makes it run again
 * @param entries most entries that one removes
 */
public record TableBatches(int rows, int entries) {
  /** Those outside of simulations. */
  public static final TableBatches DEFAULT = new TableBatches(64, 256);
}
