package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tokens of another grid are refused at once, and leave the node as it is. */
final class OtherGridTest {
  /** A transaction that waited for anything would last for so long. */
  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofMinutes(2));

  private static final Duration AT_ONCE = Duration.ofMinutes(1);

  private static Index<Long, Long> index(EmbeddedCanopy db) {
    return db.index("n", Codec.int64(), Codec.int64());
  }

  private static void assertInvalid(ThrowingCallable call) {
    long began = System.nanoTime();
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TOKEN));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
  }

  @Test
  void eachGridHasAnIdAndATime() {
    Instant before = Instant.now().minusMillis(1);
    try (EmbeddedCanopy one = EmbeddedCanopy.start();
        EmbeddedCanopy other = EmbeddedCanopy.start()) {
      assertThat(one.grid().id()).isNotEqualTo(other.grid().id());
      assertThat(one.grid()).isEqualTo(one.grid());
      assertThat(one.grid().founded()).isBetween(before, Instant.now());
      assertThat(one.served().grid()).isEqualTo(one.grid());
      assertThat(one.token().grid()).contains(one.grid().id());
    }
  }

  @Test
  void aTokenOfAFormerLifeIsRefusedWhereverItIsGiven() {
    CausalToken old;
    ResumeToken position;
    ResumeToken pinned;
    try (EmbeddedCanopy db = EmbeddedCanopy.start()) {
      Index<Long, Long> n = index(db);
      for (long i = 0; i < 200; i++) {
        long key = i;
        db.run(tx -> tx.on(n).put(key, key));
      }
      old = db.token();
      position = position(db, n, PATIENT);
      var unused = db.snapshot("night");
      pinned = position(db, n, PATIENT.at("night"));
    }
    try (EmbeddedCanopy db = EmbeddedCanopy.start()) {
      Index<Long, Long> n = index(db);
      db.run(tx -> tx.on(n).put(1L, 1L));
      var unused = db.snapshot("night");
      TransactionOptions after = PATIENT.withAfter(old);
      assertInvalid(() -> db.run(after, tx -> tx.on(n).put(2L, 2L)));
      assertInvalid(() -> db.read(after, tx -> tx.on(n).containsKey(1L)));
      assertInvalid(() ->
          db.read(after.withIsolation(Isolation.SERIALIZABLE), tx -> tx.on(n).containsKey(1L)));
      assertInvalid(() -> db.begin(after).close());
      assertInvalid(() -> db.read(after.at("night"), tx -> tx.on(n).containsKey(1L)));
      assertInvalid(() -> db.read(PATIENT.resuming(position), tx -> tx.on(n).resume(position)));
      assertInvalid(() -> db.read(PATIENT, tx -> tx.on(n).resume(position)));
      assertInvalid(() -> db.read(PATIENT.resuming(pinned), tx -> tx.on(n).resume(pinned)));
      assertInvalid(() -> db.read(PATIENT.at("night"), tx -> tx.on(n).resume(pinned)));
      assertInvalid(() -> old.join(db.token()));
      assertThat(db.<Boolean, RuntimeException>read(tx -> tx.on(n).containsKey(1L))).isTrue();
    }
  }

  @Test
  void aTokenThatNamesNoGridIsRefused() {
    VectorClock clock = VectorClock.ZERO;
    for (int shard = 0; shard < 256; shard++) {
      clock = clock.with(shard, (9L << 40) + 5);
    }
    CausalToken made = CausalToken.of(clock);
    try (EmbeddedCanopy db = EmbeddedCanopy.start()) {
      Index<Long, Long> n = index(db);
      assertInvalid(() -> db.run(PATIENT.withAfter(made), tx -> tx.on(n).put(2L, 2L)));
      db.run(PATIENT.withAfter(CausalToken.NONE), tx -> tx.on(n).put(1L, 1L));
      db.run(PATIENT.withAfter(db.token()), tx -> tx.on(n).put(3L, 3L));
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(n).count(Range.all()))).isEqualTo(2);
    }
  }

  private static ResumeToken position(
      EmbeddedCanopy db, Index<Long, Long> n, TransactionOptions options) {
    return db.read(
        options,
        tx -> {
          try (Cursor<Long, Long> c = tx.on(n).scan(Range.all())) {
            assertThat(c.iterator().next().getKey()).isZero();
            return c.resumeToken();
          }
        });
  }
}
