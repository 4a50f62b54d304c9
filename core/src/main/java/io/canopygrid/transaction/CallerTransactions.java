package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Isolation;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.Mode;
import io.canopygrid.typed.Handle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The transactions that callers end themselves. A transaction that is left open is rolled back some
 * time after its own time is over, since no version that an open transaction could read is dropped.
 * Thread-safe.
 */
public final class CallerTransactions implements AutoCloseable {
  /**
   * The time after its deadline at which a transaction is ended. By that time the transaction has
   * asked for nothing more for a while ({@link EngineTransaction}), so that this can be done from
   * another thread.
   */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long SWEEP_MILLIS = 1_000;

  private final Engine engine;
  private final Session session;
  private final Statistics statistics;
  private final Set<CallerTransaction> open = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor sweeper;

  /** The transactions of a handle. */
  public CallerTransactions(Engine engine, Session session, Statistics statistics) {
    this.engine = engine;
    this.session = session;
    this.statistics = statistics;
    this.sweeper =
        new ScheduledThreadPoolExecutor(
            1, CallerTransactions::thread, new ThreadPoolExecutor.DiscardPolicy());
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "canopy-open-transactions");
    thread.setDaemon(true);
    return thread;
  }

  /** Begins one, which its caller ends. */
  public UpdateTransaction begin(Handle owner, TransactionOptions options) {
    CallerTransaction transaction = open(options, Mode.ofUpdates(options.isolation()));
    return new UpdateTransaction(owner, transaction.begun, transaction);
  }

  /** Begins one that only reads, and that its reader ends. */
  public OpenReading beginReading(Handle owner, TransactionOptions options) {
    boolean serializable = options.isolation() == Isolation.SERIALIZABLE;
    CallerTransaction transaction =
        open(options, serializable ? Mode.SERIALIZABLE : Mode.READ_ONLY);
    return new OpenReading(new SnapshotTransaction(owner, transaction.begun), transaction);
  }

  private CallerTransaction open(TransactionOptions options, Mode mode) {
    long beganNanos = engine.pace().nanoTime();
    long deadlineNanos = beganNanos + options.timeout().toNanos();
    LabelCounters counters = statistics.of(options.label());
    counters.attempted();
    Begin how = session.begin(options, mode, deadlineNanos);
    EngineTransaction begun = engine.begin(how);
    CallerTransaction transaction = new CallerTransaction(how, begun, counters, beganNanos);
    open.add(transaction);
    startSweeping();
    return transaction;
  }

  /** Ends all that are open, without effect. */
  @Override
  public void close() {
    sweeper.shutdownNow();
    open.forEach(
        transaction -> transaction.begun.cutOff(ErrorCode.CANOPY_CLOSED, "the handle was closed"));
    open.clear();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it runs until the handle is closed
  private void startSweeping() {
    if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
      sweeper.scheduleWithFixedDelay(
          this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void sweep() {
    long now = engine.pace().nanoTime();
    open.forEach(transaction -> {
      if (transaction.endsNanos - now <= 0 && open.remove(transaction)) {
        transaction.begun.cutOff(ErrorCode.TIMEOUT, "the transaction was left open");
      }
    });
  }

  /** A transaction, with the counters that its end changes. */
  private final class CallerTransaction implements UpdateTransaction.Ending {
    private final Begin how;
    private final EngineTransaction begun;
    private final LabelCounters counters;
    private final long beganNanos;
    private final long endsNanos;
    private boolean counted;

    CallerTransaction(Begin how, EngineTransaction begun, LabelCounters counters, long beganNanos) {
      this.how = how;
      this.begun = begun;
      this.counters = counters;
      this.beganNanos = beganNanos;
      this.endsNanos = how.deadlineNanos() + GRACE_NANOS;
    }

    @Override
    public void committed(VectorClock clock) {
      session.saw(how.grid(), clock);
      statistics.committed(counters, begun, engine.pace().nanoTime() - beganNanos);
      counted = true;
    }

    @Override
    public void failed(CanopyException e) {
      counters.aborted(begun, e.code());
      counted = true;
    }

    @Override
    public void ended() {
      open.remove(this);
      if (!counted) {
        counters.abandoned(begun);
      }
    }
  }
}
