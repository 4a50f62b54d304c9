package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Isolation;
import io.canopygrid.ReadFrom;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The isolation of transactions from each other, and the errors where it cannot be kept. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class IsolationContract extends Theme {
  IsolationContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void aConflictRunsTheBodyAgain() {
    write(v -> v.put("a", "x"));
    AtomicInteger runs = new AtomicInteger();
    db.run(tx -> {
      String before = tx.on(index).get("a");
      if (runs.getAndIncrement() < 2) {
        overwrite("a", before + "x");
      }
      tx.on(index).put("b", before);
    });
    assertThat(runs).hasValue(3);
    assertThat(get("b")).isEqualTo("xxx");
  }

  @Test
  void attemptsHaveAnEnd() {
    AtomicInteger runs = new AtomicInteger();
    CanopyException e =
        refused(
            ErrorCode.RETRIES_EXHAUSTED,
            () ->
                db.run(
                    TransactionOptions.DEFAULTS.withMaxAttempts(3),
                    tx -> {
                      tx.on(index).get("a");
                      overwrite("a", "" + runs.incrementAndGet());
                      tx.on(index).put("b", "1");
                    }));
    assertThat(runs).hasValue(3);
    assertThat(e.detail()).contains("3 attempts").contains("key a of index '" + name + "'");
    assertThat(e.retryable()).isFalse();
    assertThat(e.getCause())
        .isInstanceOfSatisfying(
            CanopyException.class, c -> assertThat(c.code()).isEqualTo(ErrorCode.WRITE_CONFLICT));
    assertThat(get("b")).isNull();
  }

  @Test
  void timeHasAnEndToo() {
    TransactionOptions brief = TransactionOptions.DEFAULTS.withTimeout(Duration.ofMillis(1));
    CanopyException e =
        refused(
            ErrorCode.TIMEOUT,
            () ->
                db.run(
                    brief,
                    tx -> {
                      LockSupport.parkNanos(3_000_000);
                      tx.on(index).get("a");
                    }));
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    refused(
        ErrorCode.TIMEOUT,
        () ->
            db.run(
                brief,
                tx -> {
                  tx.on(index).put("a", "1");
                  LockSupport.parkNanos(3_000_000);
                }));
    assertThat(get("a")).isNull();
  }

  @Test
  void aConflictNamesIndexKeyAndTheOther() {
    try (Transaction tx = db.begin()) {
      tx.on(index).get("some key");
      overwrite("some key", "1");
      tx.on(index).put("b", "1");
      CanopyException e = refused(ErrorCode.WRITE_CONFLICT, tx::commit);
      assertThat(e.detail())
          .contains("key some key of index '" + name + "'")
          .contains("transaction ");
      assertThat(e.retryable()).isTrue();
      assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
      assertThat(e.transactionId()).isEqualTo(tx.id());
      refused(ErrorCode.TRANSACTION_CLOSED, () -> tx.on(index));
    }
  }

  @Test
  void aKeyInsertedIntoAScannedRangeIsAConflict() {
    write(v -> v.put("m", "1"));
    try (Transaction tx = db.begin()) {
      tx.on(index).count();
      overwrite("k", "1");
      tx.on(index).put("z", "1");
      CanopyException e = refused(ErrorCode.WRITE_CONFLICT, tx::commit);
      assertThat(e.detail()).contains("key k of index '" + name + "'");
    }
  }

  @Test
  void aScanThatStoppedHasSeenNothingBeyond() {
    for (String key : List.of("a", "c", "e", "g")) {
      overwrite(key, "1");
    }
    try (Transaction tx = db.begin();
        Cursor<String, String> cursor = tx.on(index).scan().limit(2)) {
      assertThat(cursor.keys().toList()).containsExactly("a", "c");
      overwrite("d", "1");
      tx.on(index).put("z", "1");
      tx.commit();
    }
    try (Transaction tx = db.begin();
        Cursor<String, String> cursor = tx.on(index).scan().limit(2)) {
      assertThat(cursor.keys().toList()).containsExactly("a", "c");
      overwrite("b", "1");
      tx.on(index).put("z", "1");
      refused(ErrorCode.WRITE_CONFLICT, tx::commit);
    }
  }

  @Test
  void blindWritesDoNotConflict() {
    try (Transaction tx = db.begin()) {
      tx.on(index).put("a", "1");
      tx.on(index).remove("b");
      overwrite("a", "7");
      overwrite("b", "7");
      tx.commit();
    }
    assertThat(get("a")).isEqualTo("1");
    assertThat(get("b")).isNull();
  }

  @Test
  void anUpdateTransactionThatWroteNothingIsNotValidated() {
    overwrite("a", "1");
    try (Transaction tx = db.begin()) {
      tx.on(index).get("a");
      overwrite("a", "2");
      tx.commit();
    }
  }

  @Test
  void serializableReadsAreValidated() {
    overwrite("a", "1");
    TransactionOptions serializable =
        TransactionOptions.DEFAULTS.withIsolation(Isolation.SERIALIZABLE);
    try (Transaction tx = db.begin(serializable)) {
      tx.on(index).get("a");
      overwrite("a", "2");
      refused(ErrorCode.WRITE_CONFLICT, tx::commit);
    }
    AtomicInteger runs = new AtomicInteger();
    String seen =
        db.<String, RuntimeException>read(
            serializable,
            tx -> {
              String value = tx.on(index).get("a");
              if (runs.getAndIncrement() == 0) {
                overwrite("a", "3");
              }
              return value;
            });
    assertThat(seen).isEqualTo("3");
    assertThat(runs).hasValue(2);
  }

  @Test
  void nearestReadsSeeWhatTheirSessionSaw() {
    TransactionOptions nearest = TransactionOptions.DEFAULTS.withReadFrom(ReadFrom.NEAREST);
    for (int i = 0; i < 20; i++) {
      String value = "" + i;
      write(v -> v.put("a", value));
      assertThat(db.<String, RuntimeException>read(nearest, tx -> tx.on(index).get("a")))
          .isEqualTo(value);
    }
  }

  @Test
  void anInterruptedThreadEndsItsAttempts() {
    refused(
        ErrorCode.INTERRUPTED,
        () ->
            db.run(tx -> {
              tx.on(index).get("a");
              overwrite("a", "rival");
              tx.on(index).put("a", "1");
              Thread.currentThread().interrupt();
            }));
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(get("a")).isEqualTo("rival");
  }
}
