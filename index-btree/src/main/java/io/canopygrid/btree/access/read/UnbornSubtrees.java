package io.canopygrid.btree.access.read;

import io.canopygrid.gmu.Invariant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subtrees that are known to be unborn in a snapshot, each with the one that had its keys then.
 * A shard that was read once shows no newer commits, so this stays true for the whole transaction.
 * Confined to the transaction's thread.
 */
final class UnbornSubtrees {
  /** Null as long as there is none, as in most transactions. */
  private @Nullable Map<Long, Long> bornBefore;

  /** A subtree is unborn; another one had its keys. */
  void add(long kcl, long before) {
    if (bornBefore == null) {
      bornBefore = new HashMap<>();
    }
    bornBefore.put(kcl, before);
  }

  boolean contains(long kcl) {
    return bornBefore != null && bornBefore.containsKey(kcl);
  }

  /** The subtree itself, or, where it is known to be unborn, the one that had its keys. */
  long born(long kcl) {
    long at = kcl;
    if (bornBefore != null) {
      Long before = bornBefore.get(at);
      for (int steps = 0; before != null; steps++) {
        Invariant.holds(steps < bornBefore.size(), "no subtree comes from itself: %s", kcl);
        at = before;
        before = bornBefore.get(at);
      }
    }
    return at;
  }
}
