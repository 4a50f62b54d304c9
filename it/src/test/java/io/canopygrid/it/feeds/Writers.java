package io.canopygrid.it.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Threads of a client that move money between accounts, and insert, overwrite and remove entries,
 * and know of each transaction what they were told of its end.
 */
final class Writers implements AutoCloseable {
  static final int ACCOUNTS = 2_000;
  static final int ENTRIES = 2_000;
  static final long OPENING = 1_000;
  private static final int THREADS = 4;
  private static final int BATCH = 100;

  /** One of so many transactions is rolled back by its body, but none that opens accounts. */
  private static final int ROLLED_BACK_EVERY = 2 * ACCOUNTS / BATCH;

  private static final long REST_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Long.getLong("canopy.it.restMillis", 10));
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("write").withTimeout(Duration.ofSeconds(3));

  private static final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Canopy db;
  private final Index<String, String> index;
  private final long seed;
  private final AtomicInteger last = new AtomicInteger();
  private final AtomicInteger committed = new AtomicInteger();
  private final Map<Integer, CommitState> told = new ConcurrentHashMap<>();
  private final List<CompletableFuture<Void>> threads = new ArrayList<>();
  private volatile boolean isEnding;

  /** Connects; nothing is written yet. */
  Writers(String uri, long seed) {
    db = RemoteCanopy.connect(uri);
    index = NumberedWrite.index(db);
    this.seed = seed;
  }

  /** Opens all accounts, which must succeed. */
  void openAccounts() {
    for (int account = 0; account < ACCOUNTS; account += BATCH) {
      int first = account;
      write(view -> {
        Map<String, Optional<String>> values = new TreeMap<>();
        for (int i = first; i < first + BATCH; i++) {
          values.put(NumberedWrite.account(i), Optional.of(Long.toString(OPENING)));
        }
        return values;
      });
    }
    assertThat(committed).hasValue(ACCOUNTS / BATCH);
  }

  /** Starts the threads. */
  void start() {
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      threads.add(
          CompletableFuture.runAsync(
              () -> run(random), task -> new Thread(task, "writer").start()));
    }
  }

  private void run(SplittableRandom random) {
    while (!isEnding) {
      long next = random.nextLong();
      // An attempt that is repeated does the same again, with what it reads then.
      write(view -> values(new SplittableRandom(next), view));
      LockSupport.parkNanos(REST_NANOS);
    }
  }

  private void write(Function<MutableView<String, String>, Map<String, Optional<String>>> body) {
    int number = last.incrementAndGet();
    try {
      db.run(
          OPTIONS,
          tx -> {
            MutableView<String, String> view = tx.on(index);
            NumberedWrite write = new NumberedWrite(number, body.apply(view));
            write
                .values()
                .forEach((key, value) -> {
                  if (value.isPresent()) {
                    view.put(key, value.get());
                  } else {
                    view.remove(key);
                  }
                });
            view.put(write.row(), write.text());
            if (number % ROLLED_BACK_EVERY == 0) {
              throw new RolledBackException();
            }
          });
      told.put(number, CommitState.COMMITTED);
      committed.incrementAndGet();
    } catch (RolledBackException e) {
      told.put(number, CommitState.NOT_COMMITTED);
    } catch (CanopyException e) {
      if (!e.code().retryable() && e.code() != ErrorCode.RETRIES_EXHAUSTED) {
        throw e;
      }
      told.put(number, e.commitState());
    }
  }

  private static Map<String, Optional<String>> values(
      SplittableRandom random, MutableView<String, String> view) {
    Map<String, Optional<String>> values = new TreeMap<>();
    int what = random.nextInt(3);
    if (what != 0) {
      transfer(random, view, values);
    }
    if (what != 1) {
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        String key = NumberedWrite.entry(random.nextInt(ENTRIES));
        boolean removes = random.nextBoolean() && view.containsKey(key);
        values.put(
            key, removes ? Optional.empty() : Optional.of(Long.toString(random.nextLong(), 36)));
      }
    }
    return values;
  }

  /** Takes money from one account and gives it to some others. */
  private static void transfer(
      SplittableRandom random,
      MutableView<String, String> view,
      Map<String, Optional<String>> values) {
    int from = random.nextInt(ACCOUNTS);
    int receivers = random.nextInt(1, 4);
    long amount = random.nextLong(1, 10);
    add(view, from, -amount * receivers, values);
    for (int i = 1; i <= receivers; i++) {
      // None of them is the first one, or another's.
      add(view, (from + i * (ACCOUNTS / 5)) % ACCOUNTS, amount, values);
    }
  }

  private static void add(
      MutableView<String, String> view,
      int account,
      long amount,
      Map<String, Optional<String>> values) {
    String key = NumberedWrite.account(account);
    long balance = Long.parseLong(String.valueOf(view.get(key)));
    values.put(key, Optional.of(Long.toString(balance + amount)));
  }

  /** The number of transactions that were told committed so far; no thread may have failed. */
  int committed() {
    threads.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(t -> t.join());
    return committed.get();
  }

  /** Ends the threads after the transactions that they are at. */
  void stop() {
    isEnding = true;
    threads.forEach(CompletableFuture::join);
  }

  /** The numbers of the transactions that were told so, once the threads are stopped. */
  Set<Integer> told(CommitState state) {
    return told.entrySet().stream()
        .filter(one -> one.getValue() == state)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    isEnding = true;
    db.close();
    threads.forEach(thread -> thread.exceptionally(e -> null).join());
  }
}
