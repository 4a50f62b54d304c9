package io.canopygrid.engine;

/**
 * The sizes of the transactions that build the indexes of tables, and who hears of them.
 *
 * @param rows most rows that one adds to an index: a writer of one of them makes it run again
 * @param isTold whether servers are told how far a build is
 */
public record TableBatches(int rows, boolean isTold) {
  private static final int ROWS = 64;

  /** The batches of a node, outside of simulations. */
  public static final TableBatches DEFAULT = new TableBatches(ROWS);

  /** The batches of a client of servers. */
  public static final TableBatches OF_CLIENT = new TableBatches(ROWS, true);

  /** The batches of a node, which tells nobody. */
  public TableBatches(int rows) {
    this(rows, false);
  }
}
