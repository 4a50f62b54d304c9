package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.crown.Crown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sorted entries become whole subtrees, and no write of another transaction is lost. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class LoaderTest {
  private static final int MAX = 64;

  private final TestGrid grid = TestGrid.network(3, 2, 12, 16);
  private final EmbeddedCanopy db = grid.handle(0);
  private final IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(MAX);
  private final Index<Long, String> index =
      db.index("loaded", Codec.int64(), Codec.string(), options);

  /** Checks the structure after each test. */
  @AfterEach
  void checkAndClose() throws TimeoutException {
    grid.awaitQuiet();
    IndexCheck.Report report = db.check(index, Duration.ofSeconds(10));
    assertThat(report.closing()).isZero();
    assertThat(report.entries()).isEqualTo(all(0).size());
    grid.close();
  }

  private long load(long from, long to, long step, int flushEvery) {
    try (Loader<Long, String> loader = db.loader(index)) {
      long taken = 0;
      for (long key = from; key < to; key += step) {
        loader.add(key, "v" + key);
        if (++taken % flushEvery == 0) {
          loader.flush();
          assertThat(loader.committed()).isEqualTo(taken);
        }
      }
      loader.flush();
      return loader.committed();
    }
  }

  private Map<Long, String> all(int at) {
    EmbeddedCanopy handle = grid.handle(at);
    Index<Long, String> there =
        handle.index(index.name(), index.keyCodec(), index.valueCodec(), options);
    return handle.<Map<Long, String>, RuntimeException>read(
        TransactionOptions.DEFAULTS.withAfter(db.token()),
        tx -> {
          Map<Long, String> found = new TreeMap<>();
          try (Cursor<Long, String> c = tx.on(there).scan()) {
            c.forEach(e -> assertThat(found.put(e.getKey(), e.getValue())).isNull());
          }
          return found;
        });
  }

  private Map<Integer, Integer> subtreesByNode() {
    Map<Integer, Integer> found = new HashMap<>();
    Crown.forEach(
        grid.node(0).top(),
        entry -> {
          if (entry.index() == db.numberOf(index)) {
            long key =
                entry.separator().length == 0 ? 0 : index.keyCodec().decode(entry.separator());
            found.merge(grid.primaryOf(index, key), 1, Integer::sum);
          }
        });
    return found;
  }

  @Test
  void makesSubtreesOnAllNodesWithoutASplit() {
    assertThat(load(0, 3_000, 1, 1_000)).isEqualTo(3_000);
    grid.awaitQuiet();
    for (int i = 0; i < grid.size(); i++) {
      assertThat(all(i)).hasSize(3_000).containsEntry(2_999L, "v2999");
    }
    assertThat(db.stats().byIndex().get("loaded").splits()).isZero();
    Map<Integer, Integer> subtrees = subtreesByNode();
    int count = subtrees.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(count).isBetween(3_000 / MAX, 3_000 / (MAX / 2));
    assertThat(subtrees).hasSize(3);
    assertThat(subtrees.values()).allMatch(some -> some >= count / 4);
  }

  @Test
  void goesOnWhereItStoppedAndFillsWhatIsThere() {
    load(0, 100, 1, 7);
    load(100, 1_000, 1, 1_000);
    load(1_000, 1_001, 1, 1);
    grid.awaitQuiet();
    assertThat(all(1)).hasSize(1_001);
  }

  @Test
  void fillsAGapAndLeavesWhatIsAroundIt() {
    for (long key : new long[] {-5, -1, 10_000, 10_001, 10_002}) {
      db.run(tx -> tx.on(index).put(key, "old"));
    }
    db.run(tx -> tx.on(index).put(500L, "gone"));
    db.run(tx -> tx.on(index).remove(500L));
    load(0, 2_000, 1, 600);
    grid.awaitQuiet();
    Map<Long, String> all = all(2);
    assertThat(all).hasSize(2_005).containsEntry(500L, "v500").containsEntry(10_002L, "old");
    db.run(tx -> tx.on(index).compute(10_001L, (k, v) -> v + "!"));
    db.run(tx -> assertThat(tx.on(index).removeRange(Range.closed(1_990L, 10_000L))).isEqualTo(11));
    assertThat(all(0)).hasSize(1_994).containsEntry(10_001L, "old!");
  }

  @Test
  void refusesWhatIsThereAndWhatIsNotSorted() {
    db.run(tx -> tx.on(index).put(1_500L, "old"));
    Errors.of(ErrorCode.KEY_EXISTS, () -> load(0, 2_000, 1, 5_000));
    assertThat(all(0)).hasSize(1);
    try (Loader<Long, String> loader = db.loader(index)) {
      loader.add(5L, "a");
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> loader.add(5L, "b"));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> loader.add(4L, "b"));
      loader.add(6L, "c");
      loader.flush();
      assertThat(loader.committed()).isEqualTo(2);
    }
    assertThat(all(0)).hasSize(3);
  }

  @Test
  void snapshotsSeeItUpToSomeKeyWithoutGaps() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    List<Throwable> wrong = new ArrayList<>();
    Thread reader =
        new Thread(() -> {
          EmbeddedCanopy handle = grid.handle(1);
          Index<Long, String> there =
              handle.index(index.name(), index.keyCodec(), index.valueCodec(), options);
          try {
            while (!stop.get()) {
              handle.read(tx -> {
                var last = tx.on(there).lastEntry();
                long count = tx.on(there).count();
                assertThat(count).isEqualTo(last == null ? 0 : last.getKey() + 1);
                return null;
              });
            }
          } catch (RuntimeException | AssertionError e) {
            wrong.add(e);
          }
        });
    reader.start();
    load(0, 6_000, 1, 200);
    stop.set(true);
    reader.join();
    assertThat(wrong).isEmpty();
  }

  @Test
  void losesNothingThatOthersWriteMeanwhile() throws InterruptedException {
    List<Long> written = new ArrayList<>();
    AtomicBoolean stop = new AtomicBoolean();
    List<Throwable> wrong = new ArrayList<>();
    Thread writer =
        new Thread(() -> {
          EmbeddedCanopy handle = grid.handle(2);
          Index<Long, String> there =
              handle.index(index.name(), index.keyCodec(), index.valueCodec(), options);
          try {
            for (long key = 100_001; !stop.get(); key -= 62) {
              long k = key;
              handle.run(tx -> tx.on(there).put(k, "other"));
              written.add(k);
            }
          } catch (RuntimeException e) {
            wrong.add(e);
          }
        });
    writer.start();
    long committed = 0;
    try (Loader<Long, String> loader = db.loader(index)) {
      try {
        for (long key = 0; key < 200_000; key += 2) {
          loader.add(key, "v" + key);
          if (key % 500 == 0) {
            loader.flush();
          }
        }
      } catch (CanopyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.KEY_EXISTS);
      }
      committed = loader.committed();
    }
    stop.set(true);
    writer.join();
    assertThat(wrong).isEmpty();
    grid.awaitQuiet();
    Map<Long, String> all = all(2);
    assertThat(all.keySet()).containsAll(written);
    assertThat(committed).isPositive();
    assertThat(all).hasSize((int) committed + written.size());
  }
}
