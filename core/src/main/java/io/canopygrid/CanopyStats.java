package io.canopygrid;

import io.canopygrid.stats.Latency;
import java.util.Map;

/**
 * Counts of one handle since it was made; all only grow. Immutable.
 *
 * @param total all transactions
 * @param byLabel the same for each transaction label, the empty one included
 * @param byIndex what happened in each index, by name
 */
public record CanopyStats(
    TransactionStats total,
    Map<String, TransactionStats> byLabel,
    Map<String, IndexStats> byIndex) {
  /** Copies the maps. */
  public CanopyStats {
    byLabel = Map.copyOf(byLabel);
    byIndex = Map.copyOf(byIndex);
  }

  /**
   * Counts of transactions.
   *
   * @param commits transactions that committed, read-only ones included
   * @param aborts attempts that ended without a commit, by code; a caller's own exception is not
   *     among them
   * @param attempts bodies started
   * @param remoteRequests requests that waited for the answer of another node's primary; copies
   *     sent to backups are not among them
   * @param redirects answers "the key is elsewhere" that cost another request
   * @param latency of committed transactions, all attempts together
   */
  public record TransactionStats(
      long commits,
      Map<ErrorCode, Long> aborts,
      long attempts,
      long remoteRequests,
      long redirects,
      Latency latency) {
    /** Copies the map. */
    public TransactionStats {
      aborts = Map.copyOf(aborts);
    }

    /** Aborted attempts of every code. */
    public long abortsOfAllCodes() {
      return aborts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Remote requests for each committed transaction, those of aborted attempts included. */
    public double remoteRequestsPerTransaction() {
      return commits == 0 ? 0 : (double) remoteRequests / commits;
    }
  }

  /**
   * Counts of one index.
   *
   * @param commits committed transactions that used it
   * @param aborts attempts that failed at one of its keys, by code
   * @param remoteRequests requests for its entries that went to another node
   * @param redirects answers "the key is elsewhere" for its keys
   * @param splits subtrees of it that this node split
   */
  public record IndexStats(
      long commits, Map<ErrorCode, Long> aborts, long remoteRequests, long redirects, long splits) {
    /** Copies the map. */
    public IndexStats {
      aborts = Map.copyOf(aborts);
    }
  }
}
