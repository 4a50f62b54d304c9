package io.canopygrid.gmu.node;

import io.canopygrid.gmu.protocol.Effect;
import java.util.concurrent.ConcurrentHashMap;

/** The commits of a node that callers wait for, by transaction. Thread-safe. */
final class CommitWaiters {
  private final ConcurrentHashMap<Long, Waiter<Effect.Ended>> open = new ConcurrentHashMap<>();

  /**
   * The waiter for a transaction's outcome; to be closed.
   *
   * @throws IllegalStateException where another thread commits it
   */
  Waiter<Effect.Ended> open(long transaction) {
    Waiter<Effect.Ended> waiter = new Waiter<>();
    if (open.putIfAbsent(transaction, waiter) != null) {
      // The caller's mistake, for which the node must not halt.
      throw new IllegalStateException(
          "transaction " + transaction + " is committed twice at a time");
    }
    return waiter;
  }

  /** No caller waits for the transaction's outcome any more. */
  void close(long transaction) {
    open.remove(transaction);
  }

  /** Hands an outcome to the caller that waits for it, if there is one. */
  void complete(Effect.Ended outcome) {
    Waiter<Effect.Ended> waiter = open.get(outcome.transaction());
    if (waiter != null) {
      waiter.complete(outcome);
    }
  }

  /** No outcome will come any more. */
  void abandon() {
    open.values().forEach(Waiter::abandon);
  }
}
