package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CommitProgress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions whose next commit is watched, which are few and mostly none. Confined to the
 * protocol lock.
 */
final class WatchedCommits {
  /**
   * More are not watched at a time. A commit that is refused before it comes to the coordinator
   * leaves its watcher behind.
   */
  private static final int WATCHED_MAX = 1_000;

  private final Map<Long, CommitProgress> byTransaction = new HashMap<>();

  void add(long transaction, CommitProgress progress) {
    if (byTransaction.size() >= WATCHED_MAX) {
      byTransaction.clear();
    }
    byTransaction.put(transaction, progress);
  }

  /** The one that watches a commit, which begins or never does; null: nobody. */
  @Nullable CommitProgress take(long transaction) {
    return byTransaction.isEmpty() ? null : byTransaction.remove(transaction);
  }
}
