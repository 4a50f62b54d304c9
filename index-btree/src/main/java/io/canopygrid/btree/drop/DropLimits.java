package io.canopygrid.btree.drop;

/**
 * Bounds of the work on dropped indexes.
 *
 * @param headersMax most subtrees that one transaction marks, at least 1
 * @param entriesMax most entries that one transaction removes, at least 1
 * @param attemptsMax how often a transaction is tried before it is left for later, at least 1
 * @param timeoutMillis how long each transaction may take, at least 1
 * @param markMillis how long the node that drops goes on marking before it leaves the rest to the
 *     others, at least 1
 * @param roundMillis how long a node works at a time, at least 1
 * @param pauseMillis the pause after that, at least 1
 * @param scannedMax most entries of the crown, and most notes of drops, that a node looks at in one
 *     round, at least 1
 */
public record DropLimits(
    int headersMax,
    int entriesMax,
    int attemptsMax,
    long timeoutMillis,
    long markMillis,
    long roundMillis,
    long pauseMillis,
    int scannedMax) {
  /** The limits that a node uses. */
  public static final DropLimits DEFAULT =
      new DropLimits(64, 1_000, 10, 2_000, 10_000, 200, 300, 1_000);
}
