package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.Range;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Named snapshots, as the API's Javadoc says. */
@NullUnmarked // values are compared as they are
final class NamedSnapshotTest {
  private static final TransactionOptions NIGHT = TransactionOptions.DEFAULTS.at("night");

  @Test
  void seesTheStateOfItsMomentUntilItIsDropped() {
    try (TestGrid grid = TestGrid.standalone(4)) {
      EmbeddedCanopy db = grid.handle(0);
      Index<Long, Long> index = index(db);
      fill(db, index, 0, 100, 1);
      NamedSnapshot taken = db.snapshot("night");
      assertThat(taken.name()).isEqualTo("night");
      fill(db, index, 0, 200, 2);
      db.run(tx -> tx.on(index).remove(7L));
      Index<Long, Long> later = db.index("later", Codec.int64(), Codec.int64());
      fill(db, later, 0, 3, 9);

      assertThat(sum(db, index, NIGHT)).isEqualTo(100);
      assertThat(count(db, later, NIGHT)).isZero();
      assertThat(sum(db, index, TransactionOptions.DEFAULTS)).isEqualTo(2 * 199);
      assertThat(db.snapshots()).containsExactly(taken);

      assertThat(db.dropSnapshot("night")).isTrue();
      assertThat(db.dropSnapshot("night")).isFalse();
      assertThat(db.snapshots()).isEmpty();
      Errors.of(ErrorCode.UNKNOWN_SNAPSHOT, () -> count(db, index, NIGHT));
      db.snapshot("night");
      assertThat(sum(db, index, NIGHT)).isEqualTo(2 * 199);
    }
  }

  @Test
  void outlivesWhoTookItOnAllNodesThroughSplitsAndGarbage() {
    try (TestGrid grid = TestGrid.network(3, 2, 8, 8)) {
      Index<Long, Long> index = index(grid.handle(0));
      fill(grid.handle(0), index, 0, 300, 1);
      grid.handle(0).snapshot("night");
      Index<Long, Long> other = index(grid.handle(1));
      for (int round = 0; round < 3; round++) {
        fill(grid.handle(1), other, 0, 3_000, 2);
        // Some reports of the horizon are made.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(150));
      }
      grid.awaitQuiet();
      for (int i = 0; i < 3; i++) {
        Index<Long, Long> here = index(grid.handle(i));
        for (ReadFrom from : ReadFrom.values()) {
          TransactionOptions options = NIGHT.withReadFrom(from);
          assertThat(sum(grid.handle(i), here, options))
              .as("node %s from %s", i, from)
              .isEqualTo(300);
          assertThat(count(grid.handle(i), here, options)).isEqualTo(300);
        }
      }
      assertThat(sum(grid.handle(2), index(grid.handle(2)), TransactionOptions.DEFAULTS))
          .isEqualTo(6_000);
    }
  }

  @Test
  void hasWhatOtherHandlesCommittedBefore() {
    try (TestGrid grid = TestGrid.network(3, 2, 8, 8)) {
      Index<Long, Long> here = index(grid.handle(0));
      Index<Long, Long> there = index(grid.handle(1));
      for (long i = 1; i <= 20; i++) {
        long value = i;
        grid.handle(0).run(tx -> tx.on(here).put(1L, value));
        String name = "s" + i;
        grid.handle(1).snapshot(name);
        Long seen =
            grid.handle(1)
                .<Long, RuntimeException>read(
                    TransactionOptions.DEFAULTS.at(name), tx -> tx.on(there).get(1L));
        assertThat(seen).isEqualTo(value);
      }
      assertThat(grid.handle(2).snapshots()).hasSize(20);
    }
  }

  @Test
  void refusesWhatItCannotBe() {
    try (EmbeddedCanopy db = EmbeddedCanopy.start()) {
      Index<Long, Long> index = index(db);
      db.snapshot("night");
      Errors.of(ErrorCode.SNAPSHOT_EXISTS, () -> db.snapshot("night"));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> db.snapshot(""));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> db.snapshot("a b"));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.snapshot(null));
      Errors.of(ErrorCode.UNKNOWN_SNAPSHOT, () -> count(db, index, NIGHT.at("day")));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> db.run(NIGHT, tx -> tx.on(index).put(1L, 1L)));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> db.begin(NIGHT));
      Errors.of(
          ErrorCode.INVALID_ARGUMENT,
          () -> count(db, index, NIGHT.withIsolation(Isolation.SERIALIZABLE)));
      assertThat(db.snapshots()).extracting(NamedSnapshot::name).isEqualTo(List.of("night"));
    }
  }

  private static Index<Long, Long> index(Canopy db) {
    return db.index("numbers", Codec.int64(), Codec.int64());
  }

  private static void fill(Canopy db, Index<Long, Long> index, long from, long to, long value) {
    for (long key = from; key < to; key += 100) {
      long first = key;
      db.run(tx -> {
        for (long k = first; k < Math.min(to, first + 100); k++) {
          tx.on(index).put(k, value);
        }
      });
    }
  }

  private static long sum(Canopy db, Index<Long, Long> index, TransactionOptions options) {
    return db.<Long, RuntimeException>read(
        options, tx -> tx.on(index).scan(Range.all()).values().mapToLong(Long::longValue).sum());
  }

  private static long count(Canopy db, Index<Long, Long> index, TransactionOptions options) {
    return db.<Long, RuntimeException>read(options, tx -> tx.on(index).count(Range.all()));
  }
}
