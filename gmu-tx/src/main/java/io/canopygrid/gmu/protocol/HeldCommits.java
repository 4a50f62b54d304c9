package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commits that are tried again, under a new id, while their last attempt is still being undone:
 * held back until that has let go of its locks everywhere. Else a transaction would find itself in
 * its own way, and, as it has read what that attempt was going to write, be refused for good.
 */
final class HeldCommits {
  private final Map<Long, TxId> undoing = new HashMap<>();

  /** In the order in which they were asked for. */
  private final Map<Long, Held> held = new LinkedHashMap<>();

  /** The commit that the caller has asked for. */
  record Held(VectorClock clock, Footprint footprint, String label) {}

  /** An attempt of a transaction was aborted, and its participants are being told. */
  void undoing(CommitAttempt attempt) {
    undoing.put(attempt.transaction(), attempt.tid());
  }

  /** True where a commit has to wait, and then it does. */
  boolean hold(long transaction, VectorClock clock, Footprint footprint, String label) {
    if (!undoing.containsKey(transaction)) {
      return false;
    }
    Held before = held.put(transaction, new Held(clock, footprint, label));
    Invariant.holds(before == null, "transaction %s is being committed already", transaction);
    return true;
  }

  /** An attempt is over for every participant; the commit that has waited for that, if any. */
  @Nullable Held undone(CommitAttempt attempt) {
    boolean was = undoing.remove(attempt.transaction(), attempt.tid());
    Invariant.holds(was, "undone, and was not being undone: %s", attempt.tid());
    return held.remove(attempt.transaction());
  }

  /** The caller waits no longer; false where no commit of it is held back. */
  boolean drop(long transaction) {
    return held.remove(transaction) != null;
  }

  /** The transactions whose commit waits. */
  Iterable<Long> transactions() {
    return held.keySet();
  }

  void clear() {
    undoing.clear();
    held.clear();
  }
}
