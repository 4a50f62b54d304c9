package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The commits that this node coordinates and that are not done, in the order of their ids. */
final class CommitAttempts {
  private final NodeId self;
  private final TreeMap<Long, CommitAttempt> attempts = new TreeMap<>();

  /** That of the newest id. It only grows. */
  private long counter;

  CommitAttempts(NodeId self) {
    this.self = self;
  }

  /** An id that was not used before. */
  TxId nextId() {
    counter = Math.incrementExact(counter);
    return new TxId(self, counter);
  }

  void add(CommitAttempt attempt) {
    CommitAttempt before = attempts.put(attempt.tid().counter(), attempt);
    Invariant.holds(before == null, "attempted twice: %s", attempt.tid());
  }

  void remove(CommitAttempt attempt) {
    attempts.remove(attempt.tid().counter());
  }

  /** The attempt of this id; null: another node coordinates it, or it is done. */
  @Nullable CommitAttempt get(TxId tid) {
    return tid.coordinator().equals(self) ? attempts.get(tid.counter()) : null;
  }

  /** A copy, which stays what it is while attempts are removed. */
  List<CommitAttempt> all() {
    return List.copyOf(attempts.values());
  }

  void clear() {
    attempts.clear();
  }

  int size() {
    return attempts.size();
  }

  /** The id under which a transaction is being committed; null: it is not. */
  @Nullable TxId idOf(long transaction) {
    for (CommitAttempt attempt : attempts.values()) {
      if (attempt.transaction() == transaction && !attempt.isTold()) {
        return attempt.tid();
      }
    }
    return null;
  }

  /** The decisions to commit that are not done. */
  List<Decision> commits() {
    List<Decision> commits = new ArrayList<>();
    for (CommitAttempt attempt : attempts.values()) {
      Decision decision = attempt.decision();
      if (decision != null && decision.clock() != null) {
        commits.add(decision);
      }
    }
    return commits;
  }

  /** All attempts with a lower counter are done. */
  long mark() {
    return hasUndone() ? attempts.firstKey() : counter + 1;
  }

  /** Whether a transaction is undone: then it holds the mark back (Decide, step 3). */
  boolean hasUndone() {
    return !attempts.isEmpty();
  }

  /** The meet of a clock with the snapshots of all attempts. */
  VectorClock meet(VectorClock clock) {
    VectorClock lowest = clock;
    for (CommitAttempt attempt : attempts.values()) {
      lowest = lowest.meet(attempt.snapshot());
    }
    return lowest;
  }
}
