package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** States of the past, in grids whose retention is {@link ContractGrid#RETENTION}. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class TimeTravelContract extends Theme {
  /** So long after a commit there is a state with it, unless the machine is busy. */
  private static final Duration STEP = Duration.ofMillis(1_500);

  private static final Duration MARKED_MAX = Duration.ofMinutes(1);

  private static final int ACCOUNTS = 6;
  private static final int CENTS = 1_000;
  private static final int READS = 40;
  private static final int READS_MAX = 600;

  TimeTravelContract(ContractGrid grid) {
    super(grid);
  }

  private static TransactionOptions asOf(Instant time) {
    return TransactionOptions.labelled("past").asOf(time);
  }

  @Test
  void showsTheSameStateAtAllNodesForAllTimes() {
    letters();
    Instant then = timeWith(26);
    write(v -> {
      v.remove("a");
      v.put("b", "later");
    });
    for (Canopy handle : new Canopy[] {db, other}) {
      Index<String, String> there = texts(handle);
      assertThat(handle.<String, RuntimeException>read(asOf(then), tx -> tx.on(there).get("a")))
          .isEqualTo("A");
      assertThat(handle.<String, RuntimeException>read(asOf(then), tx -> tx.on(there).get("b")))
          .isEqualTo("B");
      assertThat(count(handle, there, then)).isEqualTo(26);
    }
    assertThat(get("a")).isNull();
    assertThat(db.snapshots()).noneMatch(taken -> taken.name().startsWith("@"));
  }

  /** A time as of which the index has so many entries, also after later writes. */
  private Instant timeWith(long entries) {
    Instant end = Instant.now().plus(MARKED_MAX);
    while (true) {
      Instant then = Instant.now().plus(STEP);
      long found = count(db, index, then);
      if (found == entries || then.isAfter(end)) {
        assertThat(found).as("entries as of %s", then).isEqualTo(entries);
        return then;
      }
    }
  }

  private static long count(Canopy handle, Index<String, String> there, Instant time) {
    return handle.<Long, RuntimeException>read(asOf(time), tx -> tx.on(there).count());
  }

  @Test
  void letsACursorGoOnInTheSameState() {
    letters();
    Instant then = timeWith(26);
    ResumeToken token =
        db.read(
            asOf(then),
            tx -> {
              try (Cursor<String, String> cursor = tx.on(index).scan().limit(20)) {
                cursor.keys().limit(10).forEach(key -> {});
                return cursor.resumeToken();
              }
            });
    write(v -> v.removeRange(Range.all()));
    TransactionOptions later = TransactionOptions.DEFAULTS.resuming(token);
    assertThat(
            db.<List<String>, RuntimeException>read(later, tx -> keys(tx.on(index).resume(token))))
        .hasSize(10)
        .startsWith("k");
  }

  @Test
  void knowsNoTimeBeforeTheFirstOneThatIsKept() {
    letters();
    count(db, index, Instant.now());
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> count(db, index, Instant.ofEpochSecond(1)));
    refused(ErrorCode.INVALID_ARGUMENT, () -> asOf(Instant.ofEpochSecond(-1)));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> count(db, index, Instant.now().plus(Duration.ofMinutes(70))));
    refused(
        ErrorCode.TIMEOUT,
        () ->
            db.read(
                asOf(Instant.now().plus(Duration.ofMinutes(50)))
                    .withTimeout(Duration.ofMillis(300)),
                tx -> tx.on(index).get("a")));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () ->
            db.read(
                asOf(Instant.now()).withIsolation(Isolation.SERIALIZABLE),
                tx -> tx.on(index).get("a")));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> db.read(TransactionOptions.DEFAULTS.at("@noon"), tx -> tx.on(index).get("a")));
  }

  /** The sum is the same in each state, and transfers are not undone as time goes on. */
  @Test
  void showsStatesThatWereThereInTheirOrder() {
    write(v -> {
      v.put("n", "0");
      for (int account = 0; account < ACCOUNTS; account++) {
        v.put("account" + account, Integer.toString(CENTS));
      }
    });
    Instant first = timeWith(1 + ACCOUNTS);
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> transfers =
        CompletableFuture.runAsync(() -> {
          Random random = new Random(name.hashCode());
          while (!isOver.get()) {
            transfer(random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS));
          }
        });
    long spent = 0;
    int last = 0;
    // On a busy machine it takes longer until there is a state with a transfer.
    for (int i = 0; i < READS || (last == 0 && i < READS_MAX); i++) {
      Instant time = first.plusMillis(spent);
      spent += 100;
      Map<String, String> state = state(i % 2 == 0 ? db : other, time);
      int sum = 0;
      for (int account = 0; account < ACCOUNTS; account++) {
        sum += Integer.parseInt(state.get("account" + account));
      }
      assertThat(sum).as("at %s", time).isEqualTo(ACCOUNTS * CENTS);
      int transferred = Integer.parseInt(state.get("n"));
      assertThat(transferred).as("at %s", time).isGreaterThanOrEqualTo(last);
      last = transferred;
    }
    isOver.set(true);
    transfers.join();
    assertThat(last).isPositive();
    assertThat(state(other, first)).isEqualTo(state(db, first)).containsEntry("n", "0");
  }

  private Map<String, String> state(Canopy handle, Instant time) {
    Index<String, String> there = texts(handle);
    return handle.<Map<String, String>, RuntimeException>read(
        asOf(time),
        tx -> {
          try (Cursor<String, String> cursor = tx.on(there).scan()) {
            return cursor.stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
          }
        });
  }

  private void transfer(int from, int to) {
    db.run(tx -> {
      add(tx.on(index), "account" + from, -1);
      add(tx.on(index), "account" + to, 1);
      add(tx.on(index), "n", 1);
    });
  }

  private static void add(MutableView<String, String> view, String key, int more) {
    view.put(key, Integer.toString(Integer.parseInt(view.get(key)) + more));
  }
}
