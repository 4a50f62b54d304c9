package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionOptions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The listener of a handle. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class ListenersContract extends Theme {
  private final Canopy heard = grid.fresh();
  private final Index<String, String> texts = texts(heard);
  private final HeardCalls record = new HeardCalls();

  ListenersContract(ContractGrid grid) {
    super(grid);
  }

  @BeforeEach
  void listen() {
    heard.listen(record);
  }

  @AfterEach
  void close() {
    heard.close();
  }

  /** Writes down what it hears. */
  private static final class HeardCalls implements TransactionListener, TransactionListener.Watch {
    final List<String> events = new CopyOnWriteArrayList<>();
    volatile @Nullable Outcome last;

    @Override
    public Watch begins(Call call, TransactionOptions options) {
      events.add(call + options.label());
      return this;
    }

    @Override
    public void attemptBegins(int number) {
      events.add("attempt " + number);
    }

    @Override
    public void commits() {
      events.add("commits");
    }

    @Override
    public void attemptEnded(Outcome outcome) {
      events.add("attempt " + text(outcome));
    }

    @Override
    public void ended(Outcome outcome) {
      events.add("ended " + text(outcome));
      last = outcome;
    }

    private static String text(Outcome outcome) {
      Throwable error = outcome.error();
      return (outcome.committed() ? "committed" : "not committed")
          + (error instanceof CanopyException e ? " " + e.code() : "")
          + (error instanceof ArithmeticException ? " arithmetic" : "");
    }
  }

  @Test
  void aBodyThatCommits() {
    heard.run(TransactionOptions.labelled(":pay"), tx -> tx.on(texts).put("a", "1"));
    assertThat(record.events)
        .containsExactly("RUN:pay", "attempt 1", "commits", "attempt committed", "ended committed");
    TransactionListener.Outcome outcome = Objects.requireNonNull(record.last);
    assertThat(outcome.indexes()).containsExactly(name);
    assertThat(outcome.transactionId()).isNotEmpty();
  }

  @Test
  void aBodyThatIsRunAgain() {
    AtomicInteger runs = new AtomicInteger();
    heard.run(tx -> {
      tx.on(texts).get("a");
      if (runs.getAndIncrement() == 0) {
        overwriteHere();
      }
      tx.on(texts).put("a", "mine");
    });
    record.events.removeIf(event -> event.startsWith("RUN"));
    assertThat(record.events)
        .containsSubsequence(
            "attempt 1",
            "commits",
            "attempt not committed CNPY-2001 WRITE_CONFLICT",
            "attempt 2",
            "commits",
            "attempt committed",
            "ended committed");
  }

  /** Another thread's transaction at the same handle, of which nobody hears. */
  private void overwriteHere() {
    heard.listen(null);
    heard.runAsync(tx -> tx.on(texts).put("a", "other")).toCompletableFuture().join();
    heard.listen(record);
  }

  @Test
  void aBodyThatThrows() {
    assertThatThrownBy(() ->
            heard.run(tx -> {
              throw new ArithmeticException();
            }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(record.events)
        .containsExactly(
            "RUN",
            "attempt 1",
            "attempt not committed arithmetic",
            "ended not committed arithmetic");
  }

  @Test
  void aBodyThatOnlyReads() {
    heard.read(tx -> tx.on(texts).get("a"));
    heard.readAsync(tx -> tx.on(texts).get("a")).toCompletableFuture().join();
    assertThat(record.events)
        .containsExactly(
            "READ",
            "attempt 1",
            "commits",
            "attempt committed",
            "ended committed",
            "READ",
            "attempt 1",
            "commits",
            "attempt committed",
            "ended committed");
  }

  @Test
  void transactionsThatTheirCallerEnds() {
    try (Transaction tx = heard.begin()) {
      tx.on(texts).put("a", "1");
      tx.commit();
    }
    try (Transaction tx = heard.begin()) {
      tx.on(texts).put("a", "2");
    }
    assertThat(record.events)
        .containsExactly(
            "BEGIN",
            "attempt 1",
            "commits",
            "attempt committed",
            "ended committed",
            "BEGIN",
            "attempt 1",
            "attempt not committed",
            "ended not committed");
  }

  @Test
  void aFunction() {
    heard.execute(Functions.append(texts, "a", "one"));
    assertThat(record.events).startsWith("EXECUTE").endsWith("ended committed");
  }

  @Test
  void callsThatAreRefusedEndToo() {
    TransactionOptions past = TransactionOptions.DEFAULTS.at("none");
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> heard.read(past, tx -> tx.on(texts).get("a")));
    assertThat(record.events)
        .startsWith("READ")
        .endsWith("ended not committed CNPY-3014 UNKNOWN_SNAPSHOT");
  }

  @Test
  void whatAListenerThrowsChangesNothing() {
    Thread thread = Thread.currentThread();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    thread.setUncaughtExceptionHandler((any, e) -> {
      thrown.add(e);
      throw new IllegalStateException("a bug of the handler", e);
    });
    try {
      heard.listen((call, options) ->
          new TransactionListener.Watch() {
            @Override
            public void attemptEnded(TransactionListener.Outcome outcome) {
              throw new AssertionError("a bug");
            }
          });
      heard.run(tx -> tx.on(texts).put("a", "1"));
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
    assertThat(heard.<String, RuntimeException>read(tx -> tx.on(texts).get("a"))).isEqualTo("1");
    assertThat(thrown).hasSize(1);
  }

  @Test
  void nobodyListensAnyMore() {
    heard.listen(null);
    heard.run(tx -> tx.on(texts).put("a", "1"));
    assertThat(record.events).isEmpty();
  }
}
