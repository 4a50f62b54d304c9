package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.Limits;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Running, ending, nesting and using transactions, as the API's Javadoc says. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class TransactionContractTest {
  private final EmbeddedCanopy db = EmbeddedCanopy.start();
  private final Index<String, byte[]> index = db.index("things", Codec.string(), Codec.bytes());

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void runCommitsCallReturnsReadReads() {
    db.run(tx -> tx.on(index).put("a", bytes(1)));
    int length = db.<Integer, RuntimeException>call(tx -> tx.on(index).get("a").length);
    assertThat(length).isEqualTo(1);
    assertThat(db.<byte[], RuntimeException>read(tx -> tx.on(index).get("a"))).containsExactly(0);
  }

  @Test
  void aCallersExceptionRollsBackAndPassesAsItIsWithoutAnotherAttempt() {
    AtomicInteger runs = new AtomicInteger();
    IOException mine = new IOException("mine");
    assertThatThrownBy(() ->
            db.run(tx -> {
              runs.incrementAndGet();
              tx.on(index).put("a", bytes(1));
              throw mine;
            }))
        .isSameAs(mine);
    assertThat(runs).hasValue(1);
    assertThat(get("a")).isNull();
    assertThat(db.stats().total().aborts()).isEmpty();
  }

  @Test
  void aConflictRunsTheBodyAgain() {
    db.run(tx -> tx.on(index).put("a", bytes(1)));
    AtomicInteger runs = new AtomicInteger();
    db.run(tx -> {
      byte[] before = tx.on(index).get("a");
      if (runs.getAndIncrement() < 2) {
        overwrite("a", before.length + 1);
      }
      tx.on(index).put("b", before);
    });
    assertThat(runs).hasValue(3);
    assertThat(get("b")).hasSize(3);
    assertThat(db.stats().total().aborts()).containsEntry(ErrorCode.WRITE_CONFLICT, 2L);
    assertThat(db.stats().byIndex().get("things").aborts())
        .containsEntry(ErrorCode.WRITE_CONFLICT, 2L);
  }

  @Test
  void attemptsHaveAnEnd() {
    AtomicInteger runs = new AtomicInteger();
    CanopyException e =
        Errors.of(
            ErrorCode.RETRIES_EXHAUSTED,
            () ->
                db.run(
                    TransactionOptions.DEFAULTS.withMaxAttempts(3),
                    tx -> {
                      tx.on(index).get("a");
                      overwrite("a", runs.incrementAndGet());
                      tx.on(index).put("b", bytes(1));
                    }));
    assertThat(runs).hasValue(3);
    assertThat(e.detail()).contains("3 attempts").contains("key a of index 'things'");
    assertThat(e.retryable()).isFalse();
    assertThat(e.getCause())
        .isInstanceOfSatisfying(
            CanopyException.class, c -> assertThat(c.code()).isEqualTo(ErrorCode.WRITE_CONFLICT));
    assertThat(get("b")).isNull();
  }

  @Test
  void timeHasAnEndToo() {
    CanopyException e =
        Errors.of(
            ErrorCode.TIMEOUT,
            () ->
                db.run(
                    TransactionOptions.DEFAULTS.withTimeout(Duration.ofMillis(1)),
                    tx -> {
                      LockSupport.parkNanos(3_000_000);
                      tx.on(index).get("a");
                    }));
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    Errors.of(
        ErrorCode.TIMEOUT,
        () ->
            db.run(
                TransactionOptions.DEFAULTS.withTimeout(Duration.ofMillis(1)),
                tx -> {
                  tx.on(index).put("a", bytes(1));
                  LockSupport.parkNanos(3_000_000);
                }));
    assertThat(get("a")).isNull();
  }

  @Test
  void aConflictNamesIndexKeyAndTheOther() {
    try (Transaction tx = db.begin()) {
      tx.on(index).get("some key");
      overwrite("some key", 1);
      tx.on(index).put("b", bytes(1));
      CanopyException e = Errors.of(ErrorCode.WRITE_CONFLICT, tx::commit);
      assertThat(e.detail()).contains("key some key of index 'things'").contains("transaction");
      assertThat(e.retryable()).isTrue();
      assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
      assertThat(e.transactionId()).isEqualTo(tx.id());
      Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> tx.on(index));
    }
  }

  @Test
  void aKeyInsertedIntoAScannedRangeIsAConflict() {
    db.run(tx -> tx.on(index).put("m", bytes(1)));
    try (Transaction tx = db.begin()) {
      tx.on(index).count();
      overwrite("k", 1);
      tx.on(index).put("z", bytes(1));
      CanopyException e = Errors.of(ErrorCode.WRITE_CONFLICT, tx::commit);
      assertThat(e.detail()).contains("key k of index 'things'");
    }
  }

  @Test
  void aScanThatStoppedHasSeenNothingBeyond() {
    for (String key : List.of("a", "c", "e", "g")) {
      overwrite(key, 1);
    }
    try (Transaction tx = db.begin();
        Cursor<String, byte[]> cursor = tx.on(index).scan().limit(2)) {
      assertThat(cursor.keys().toList()).containsExactly("a", "c");
      overwrite("d", 1);
      overwrite("e", 2);
      tx.on(index).put("z", bytes(1));
      tx.commit();
    }
    try (Transaction tx = db.begin();
        Cursor<String, byte[]> cursor = tx.on(index).scan().reverse().limit(2)) {
      assertThat(cursor.keys().toList()).containsExactly("z", "g");
      overwrite("f", 1);
      tx.on(index).put("zz", bytes(1));
      tx.commit();
    }
    try (Transaction tx = db.begin();
        Cursor<String, byte[]> cursor = tx.on(index).scan().limit(2)) {
      assertThat(cursor.keys().toList()).containsExactly("a", "c");
      overwrite("b", 1);
      tx.on(index).put("z", bytes(1));
      Errors.of(ErrorCode.WRITE_CONFLICT, tx::commit);
    }
  }

  @Test
  void blindWritesDoNotConflict() {
    try (Transaction tx = db.begin()) {
      tx.on(index).put("a", bytes(1));
      tx.on(index).remove("b");
      overwrite("a", 7);
      overwrite("b", 7);
      tx.commit();
    }
    assertThat(get("a")).hasSize(1);
    assertThat(get("b")).isNull();
  }

  @Test
  void anUpdateTransactionThatWroteNothingIsNotValidated() {
    overwrite("a", 1);
    try (Transaction tx = db.begin()) {
      tx.on(index).get("a");
      overwrite("a", 2);
      tx.commit();
    }
  }

  @Test
  void serializableReadsAreValidated() {
    overwrite("a", 1);
    TransactionOptions serializable =
        TransactionOptions.DEFAULTS.withIsolation(Isolation.SERIALIZABLE);
    try (Transaction tx = db.begin(serializable)) {
      tx.on(index).get("a");
      overwrite("a", 2);
      Errors.of(ErrorCode.WRITE_CONFLICT, tx::commit);
    }
    AtomicInteger runs = new AtomicInteger();
    int size =
        db.<Integer, RuntimeException>read(
            serializable,
            tx -> {
              int length = tx.on(index).get("a").length;
              if (runs.getAndIncrement() == 0) {
                overwrite("a", 3);
              }
              return length;
            });
    assertThat(size).isEqualTo(3);
    assertThat(runs).hasValue(2);
  }

  @Test
  void nestedTransactionsAreRefusedAtOnce() {
    db.run(tx -> {
      Errors.of(ErrorCode.NESTED_TRANSACTION, () -> db.run(inner -> {}));
      Errors.of(ErrorCode.NESTED_TRANSACTION, () -> db.read(inner -> null));
      Errors.of(ErrorCode.NESTED_TRANSACTION, db::begin);
      tx.on(index).put("a", bytes(1));
    });
    assertThat(get("a")).isNotNull();
    db.read(tx -> {
      Errors.of(ErrorCode.NESTED_TRANSACTION, () -> db.call(inner -> 1));
      return null;
    });
  }

  @Test
  void aBodysTransactionIsEndedByTheHandleAlone() {
    db.run(tx -> {
      Errors.of(ErrorCode.INVALID_ARGUMENT, tx::commit);
      Errors.of(ErrorCode.INVALID_ARGUMENT, tx::rollback);
      Errors.of(ErrorCode.INVALID_ARGUMENT, tx::close);
      tx.on(index).put("a", bytes(1));
    });
    assertThat(get("a")).isNotNull();
  }

  @Test
  void viewsAndCursorsDieWithTheirTransaction() {
    overwrite("a", 1);
    List<Transaction> ended = new ArrayList<>();
    List<MutableView<String, byte[]>> views = new ArrayList<>();
    List<Cursor<String, byte[]>> cursors = new ArrayList<>();
    db.run(tx -> {
      ended.add(tx);
      views.add(tx.on(index));
      cursors.add(tx.on(index).scan());
    });
    MutableView<String, byte[]> view = views.get(0);
    CanopyException e = Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> view.get("a"));
    assertThat(e.commitState()).as("as it ended").isEqualTo(CommitState.COMMITTED);
    Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> view.put("a", bytes(1)));
    Errors.of(ErrorCode.TRANSACTION_CLOSED, view::firstEntry);
    Errors.of(ErrorCode.TRANSACTION_CLOSED, view::count);
    Errors.of(ErrorCode.TRANSACTION_CLOSED, view::scan);
    Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> cursors.get(0).iterator());
    Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> ended.get(0).on(index));
    List<ReadView<String, byte[]>> reads = new ArrayList<>();
    db.read(tx -> reads.add(tx.on(index)));
    Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> reads.get(0).get("a"));
  }

  @Test
  void rolledBackTransactionsLeaveNothing() {
    Transaction tx = db.begin();
    tx.on(index).put("a", bytes(1));
    tx.rollback();
    tx.rollback();
    tx.close();
    CanopyException e = Errors.of(ErrorCode.TRANSACTION_CLOSED, tx::commit);
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(get("a")).isNull();
  }

  @Test
  void foreignIndexesAreRefused() {
    try (EmbeddedCanopy other = EmbeddedCanopy.start()) {
      Index<String, byte[]> foreign = other.index("things", Codec.string(), Codec.bytes());
      db.run(tx -> Errors.of(ErrorCode.FOREIGN_INDEX, () -> tx.on(foreign)));
      db.read(tx -> {
        Errors.of(ErrorCode.FOREIGN_INDEX, () -> tx.on(foreign));
        return null;
      });
      Errors.of(ErrorCode.FOREIGN_INDEX, () -> db.check(foreign, Duration.ofSeconds(1)));
    }
  }

  @Test
  void nullsAreRefusedAtOnce() {
    db.run(tx -> {
      MutableView<String, byte[]> view = tx.on(index);
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> tx.on(null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.get(null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.put(null, bytes(1)));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.put("a", null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.remove(null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.compute("a", null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.scan(null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.floorEntry(null));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> view.resume(null));
    });
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.run(null));
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.begin(null));
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.runAsync(null));
  }

  @Test
  void tooLargeKeysAndValuesAreRefusedAtOnceAndTheLargestAreNot() {
    String longest = "k".repeat(Limits.KEY_BYTES_MAX);
    byte[] largest = new byte[Limits.VALUE_BYTES_MAX];
    db.run(tx -> {
      MutableView<String, byte[]> view = tx.on(index);
      CanopyException key =
          Errors.of(ErrorCode.KEY_TOO_LARGE, () -> view.put(longest + "k", bytes(1)));
      assertThat(key.detail()).contains("8193").contains("8192");
      Errors.of(ErrorCode.KEY_TOO_LARGE, () -> view.get(longest + "k"));
      Errors.of(
          ErrorCode.VALUE_TOO_LARGE, () -> view.put("a", new byte[Limits.VALUE_BYTES_MAX + 1]));
      view.put(longest, largest);
    });
    assertThat(get(longest)).isEqualTo(largest);
    assertThat(db.<String, RuntimeException>read(tx -> tx.on(index).floorEntry(longest).getKey()))
        .isEqualTo(longest);
  }

  @Test
  void tokensCarryWhatWasSeen() {
    assertThat(db.token()).isEqualTo(CausalToken.NONE.join(db.token()));
    CausalToken before = db.token();
    overwrite("a", 1);
    assertThat(db.token()).isNotEqualTo(before);
    assertThat(before.clock().precedesOrEquals(db.token().clock())).isTrue();
  }

  @Test
  void asyncTwinsCompleteWithTheResultOrTheException() {
    db.runAsync(tx -> tx.on(index).put("a", bytes(5))).toCompletableFuture().join();
    assertThat(db.<byte[]>readAsync(tx -> tx.on(index).get("a")).toCompletableFuture().join())
        .hasSize(5);
    assertThat(
            db.<Integer>callAsync(tx -> tx.on(index).get("a").length).toCompletableFuture().join())
        .isEqualTo(5);
    IOException mine = new IOException("mine");
    assertThatThrownBy(() ->
            db.runAsync(
                    tx -> {
                      throw mine;
                    })
                .toCompletableFuture()
                .join())
        .isInstanceOf(CompletionException.class)
        .hasCause(mine);
  }

  @Test
  void statisticsAreKeptByLabelAndIndex() {
    TransactionOptions labelled = TransactionOptions.labelled("billing");
    db.run(labelled, tx -> tx.on(index).put("a", bytes(1)));
    db.read(labelled, tx -> tx.on(index).get("a"));
    assertThat(db.stats().byLabel().get("billing").commits()).isEqualTo(2);
    assertThat(db.stats().byLabel().get("billing").attempts()).isEqualTo(2);
    assertThat(db.stats().byLabel().get("billing").latency().count()).isEqualTo(2);
    assertThat(db.stats().byIndex().get("things").commits()).isEqualTo(2);
    assertThat(db.stats().total().commits()).isEqualTo(2);
  }

  @Test
  void aClosedHandleRefusesEverything() {
    Transaction open = db.begin();
    open.on(index).put("a", bytes(1));
    db.close();
    db.close();
    Errors.of(ErrorCode.CANOPY_CLOSED, open::commit);
    Errors.of(ErrorCode.CANOPY_CLOSED, () -> db.run(tx -> {}));
    Errors.of(ErrorCode.CANOPY_CLOSED, () -> db.read(tx -> null));
    Errors.of(ErrorCode.CANOPY_CLOSED, db::begin);
    Errors.of(ErrorCode.CANOPY_CLOSED, db::indexes);
    Errors.of(ErrorCode.CANOPY_CLOSED, () -> db.index("b", Codec.int64(), Codec.int64()));
    Errors.of(ErrorCode.CANOPY_CLOSED, () -> db.runAsync(tx -> {}));
  }

  /** Another thread's transaction, so that it can be within a body. */
  private void overwrite(String key, int length) {
    db.runAsync(tx -> tx.on(index).put(key, bytes(length))).toCompletableFuture().join();
  }

  private byte[] get(String key) {
    return db.<byte[], RuntimeException>read(tx -> tx.on(index).get(key));
  }

  private static byte[] bytes(int length) {
    return new byte[length];
  }
}
