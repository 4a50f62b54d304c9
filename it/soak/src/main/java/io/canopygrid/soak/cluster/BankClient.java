package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves money about, opens accounts with money of another one and closes them again, and sums up
 * all accounts meanwhile: the sum must never change, and no account be overdrawn. Confined to a
 * thread.
 */
public final class BankClient {
  static final int FIRST_ACCOUNTS = 200;
  static final long FIRST_CENTS = 1_000;

  /** The sum of all accounts, in cents. */
  public static final long TOTAL = FIRST_ACCOUNTS * FIRST_CENTS;

  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("bank").withTimeout(HistoryClient.TIMEOUT).withMaxAttempts(1_000);

  /** The options for the time in which nothing is broken yet; only the machine may be slow. */
  private static final TransactionOptions OPENING = OPTIONS.withTimeout(Duration.ofMinutes(1));

  private static final long PAUSE_NANOS = 20_000_000;

  /** Numbers of accounts are below; the first ones are spread over all of them. */
  private static final long NUMBERS = 1L << 40;

  private final Canopy db;
  private final Index<Long, Long> accounts;
  private final Random random;
  private final Counts counts;

  BankClient(Canopy db, Index<Long, Long> accounts, Random random, Counts counts) {
    this.db = db;
    this.accounts = accounts;
    this.random = random;
    this.counts = counts;
  }

  /** Opens the first accounts, some in each transaction. */
  static void open(Canopy db, Index<Long, Long> accounts) {
    for (int first = 0; first < FIRST_ACCOUNTS; first += 20) {
      int from = first;
      db.run(
          OPENING,
          tx -> {
            for (int i = from; i < from + 20; i++) {
              tx.on(accounts).insert(i * (NUMBERS / FIRST_ACCOUNTS), FIRST_CENTS);
            }
          });
    }
  }

  /** Runs until it is enough. */
  void run(BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      try {
        step();
        counts.done.incrementAndGet();
      } catch (RuntimeException e) {
        counts.error(e);
        // The cause of a failure lasts longer than a transaction.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      Rests.afterTransaction(random);
    }
  }

  private void step() {
    switch (random.nextInt(10)) {
      case 0 -> counts.sum(db.read(OPTIONS, this::sum));
      case 1 -> counts.sum(db.call(OPTIONS, tx -> sum(tx) + close(tx)));
      case 2 -> db.run(OPTIONS, this::openOne);
      default -> db.run(OPTIONS, this::transfer);
    }
  }

  /** All the money; less than nothing if an account is overdrawn. */
  long sum(ReadTransaction tx) {
    long sum = 0;
    try (Cursor<Long, Long> cursor = tx.on(accounts).scan(Range.all())) {
      if (random.nextBoolean()) {
        cursor.reverse();
      }
      for (Map.Entry<Long, Long> entry : cursor) {
        if (entry.getValue() < 0) {
          return -1;
        }
        sum += entry.getValue();
      }
    }
    return sum;
  }

  void transfer(Transaction tx) {
    MutableView<Long, Long> view = tx.on(accounts);
    Long from = some(view);
    Long to = some(view);
    if (from == null || to == null || from.equals(to)) {
      return;
    }
    long cents = Math.min(1 + random.nextInt(100), balance(view, from));
    view.merge(from, -cents, Long::sum);
    view.merge(to, cents, Long::sum);
  }

  private void openOne(Transaction tx) {
    MutableView<Long, Long> view = tx.on(accounts);
    Long from = some(view);
    long opened = (long) (random.nextDouble() * NUMBERS);
    if (from != null && !view.containsKey(opened)) {
      long half = balance(view, from) / 2;
      view.insert(opened, half);
      view.merge(from, -half, Long::sum);
    }
  }

  /** Closes an account, to the good of another one; 0. */
  private long close(Transaction tx) {
    MutableView<Long, Long> view = tx.on(accounts);
    Long closed = some(view);
    Long to = some(view);
    if (closed != null && to != null && !closed.equals(to)) {
      long cents = balance(view, closed);
      view.remove(closed);
      view.merge(to, cents, Long::sum);
    }
    return 0;
  }

  private static long balance(MutableView<Long, Long> view, long account) {
    Long cents = view.get(account);
    if (cents == null) {
      throw new IllegalStateException("found, and then not: account " + account);
    }
    return cents;
  }

  private @Nullable Long some(MutableView<Long, Long> view) {
    Map.Entry<Long, Long> entry = view.ceilingEntry((long) (random.nextDouble() * NUMBERS));
    return entry == null ? null : entry.getKey();
  }

  /** Counts of the clients of a node. Thread-safe. */
  static final class Counts {
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong sums = new AtomicLong();
    private final AtomicLong wrongSums = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong crashes = new AtomicLong();
    private volatile String firstError = "none";

    private void sum(long sum) {
      sums.incrementAndGet();
      if (sum != TOTAL) {
        wrongSums.incrementAndGet();
        firstError = "sum " + sum;
      }
    }

    long done() {
      return done.get();
    }

    private void error(RuntimeException error) {
      boolean known = !Recorder.code(error).equals("crash");
      if ((known ? faults : crashes).getAndIncrement() == 0) {
        firstError = error.toString().replace('\n', ' ');
        error.printStackTrace();
      }
    }

    Command report(Command report) {
      return report
          .with("done", done)
          .with("sums", sums)
          .with("wrongSums", wrongSums)
          .with("errors", faults.get() + crashes.get())
          .with("crashes", crashes)
          .with("firstError", firstError);
    }
  }
}
