package io.canopygrid.btree.balance;

import io.canopygrid.btree.balance.ShiftTransactions.Step;
import io.canopygrid.btree.balance.ShiftTransactions.Wish;
import io.canopygrid.btree.crown.RetiredEntry;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.node.GmuNode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of a shift in their order, each repeated where something came between. Thread-safe. */
final class ShiftSteps {
  private static final Logger LOG = LoggerFactory.getLogger(ShiftSteps.class);
  private static final Backoff CONFLICTS = new Backoff(500_000, 50_000_000);

  /** Most headers of retired subtrees that are removed at a time. */
  private static final int REMOVED_MAX = 100;

  private final GmuNode node;
  private final ShiftTransactions transactions;
  private final SplitLimits limits;

  ShiftSteps(GmuNode node, ShiftTransactions transactions, SplitLimits limits) {
    this.node = node;
    this.transactions = transactions;
    this.limits = limits;
  }

  /**
   * Carries away the part of a subtree that is wanted, once; or the part that was closing already.
   *
   * @return {@link Step#AGAIN} where another change was in the way each time, and the shift is
   *     undone
   */
  Step shift(long kcl, Wish wish) throws TimeoutException {
    return shift(kcl, wish, ShiftListener.NONE);
  }

  /** The same; {@code listener} hears how much went. */
  Step shift(long kcl, Wish wish, ShiftListener listener) throws TimeoutException {
    Step closed = repeat(() -> transactions.close(kcl, wish));
    return closed == Step.DONE ? finish(kcl, listener) : closed;
  }

  /** Carries away the part that is closing, or undoes it. */
  Step finish(long kcl) throws TimeoutException {
    return finish(kcl, ShiftListener.NONE);
  }

  private Step finish(long kcl, ShiftListener listener) throws TimeoutException {
    AtomicInteger carried = new AtomicInteger();
    Step moved = Step.AGAIN;
    try {
      moved = repeat(() -> transactions.move(kcl, carried::set));
    } finally {
      if (moved == Step.AGAIN) {
        LOG.debug("shift of {} is undone: something was in its way each time", kcl);
        repeat(() -> transactions.reopen(kcl));
      }
    }
    if (moved == Step.DONE) {
      listener.carried(carried.get());
    }
    return moved;
  }

  /** Removes the headers of retired subtrees that no snapshot can need any more. */
  void removeRetired() throws TimeoutException {
    for (RetiredEntry entry : RetiredEntry.unneeded(node.top(), REMOVED_MAX)) {
      repeat(() -> transactions.remove(entry));
    }
  }

  private interface Transaction {
    Step run() throws TimeoutException;
  }

  private Step repeat(Transaction transaction) throws TimeoutException {
    long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.timeoutMillis());
    Step step = transaction.run();
    for (int attempt = 1; step == Step.AGAIN && attempt < limits.attemptsMax(); attempt++) {
      CONFLICTS.pause(attempt, deadlineNanos, node.threads());
      step = transaction.run();
    }
    return step;
  }
}
