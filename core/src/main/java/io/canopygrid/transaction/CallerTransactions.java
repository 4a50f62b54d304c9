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
import org.jspecify.annotations.Nullable;

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
  public UpdateTransaction begin(Handle owner, TransactionOptions options, Watching watching) {
    CallerTransaction transaction = open(options, Mode.ofUpdates(options.isolation()), watching);
    return new UpdateTransaction(owner, transaction.begun, transaction);
  }

  /** Begins one that its transaction manager ends. */
  public OpenBranch beginBranch(Handle owner, TransactionOptions options, Watching watching) {
    CallerTransaction transaction = open(options, Mode.ofUpdates(options.isolation()), watching);
    return new OpenBranch(
        new UpdateTransaction(owner, transaction.begun, null), options.label(), transaction);
  }

  /** Begins one that only reads, and that its reader ends. */
  public OpenReading beginReading(Handle owner, TransactionOptions options, Watching watching) {
    boolean serializable = options.isolation() == Isolation.SERIALIZABLE;
    CallerTransaction transaction =
        open(options, serializable ? Mode.SERIALIZABLE : Mode.READ_ONLY, watching);
    return new OpenReading(new SnapshotTransaction(owner, transaction.begun), transaction);
  }

  private CallerTransaction open(TransactionOptions options, Mode mode, Watching watching) {
    try {
      return begun(options, mode, watching);
    } catch (RuntimeException e) {
      watching.ended(e);
      throw e;
    }
  }

  private CallerTransaction begun(TransactionOptions options, Mode mode, Watching watching) {
    long beganNanos = engine.pace().nanoTime();
    long deadlineNanos = beganNanos + options.timeout().toNanos();
    LabelCounters counters = statistics.of(options.label());
    counters.attempted();
    watching.attemptBegins(1);
    Begin how = session.begin(options, mode, deadlineNanos);
    EngineTransaction begun = engine.begin(watching.traced(how));
    watching.has(begun);
    CallerTransaction transaction =
        new CallerTransaction(how, begun, counters, beganNanos, watching);
    open.add(transaction);
    startSweeping();
    return transaction;
  }

  /** Ends all that are open, without effect. */
  @Override
  public void close() {
    sweeper.shutdownNow();
    open.forEach(
        transaction -> transaction.cutOff(ErrorCode.CANOPY_CLOSED, "the handle was closed"));
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
        transaction.cutOff(ErrorCode.TIMEOUT, "the transaction was left open");
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
    private final Watching watching;
    private boolean counted;
    private @Nullable CanopyException failure;
    private final @Nullable CommitEvent event = CommitEvent.begun();

    CallerTransaction(
        Begin how,
        EngineTransaction begun,
        LabelCounters counters,
        long beganNanos,
        Watching watching) {
      this.how = how;
      this.begun = begun;
      this.counters = counters;
      this.beganNanos = beganNanos;
      this.endsNanos = how.deadlineNanos() + GRACE_NANOS;
      this.watching = watching;
    }

    void cutOff(ErrorCode code, String why) {
      begun.cutOff(code, why);
      watching.cutOff(new CanopyException(code, why));
    }

    @Override
    public void commits() {
      watching.commits();
    }

    @Override
    public void committed(VectorClock clock) {
      session.saw(how.grid(), clock);
      statistics.committed(counters, begun, engine.pace().nanoTime() - beganNanos);
      counted = true;
      watching.committed();
      if (event != null) {
        event.committed(how.label(), 1, begun);
      }
    }

    @Override
    public void failed(CanopyException e) {
      counters.aborted(begun, e.code());
      counted = true;
      failure = e;
      AbortEvent.record(how.label(), e);
    }

    @Override
    public void ended() {
      open.remove(this);
      if (!counted) {
        counters.abandoned(begun);
      }
      watching.ended(failure);
    }
  }
}
