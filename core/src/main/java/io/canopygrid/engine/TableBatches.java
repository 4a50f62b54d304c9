package io.canopygrid.engine;

/**
 * The sizes of the transactions that build the indexes of tables.
 *
 * @param rows most rows that one adds to an index: a writer of one of them makes it run again
 */
public record TableBatches(int rows) {
  /** Those outside of simulations. */
  public static final TableBatches DEFAULT = new TableBatches(64);
}
