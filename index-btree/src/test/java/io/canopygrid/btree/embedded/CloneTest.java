package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.Index;
import io.canopygrid.IndexClone;
import io.canopygrid.Limits;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.catalog.IndexClones;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.transaction.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Clones of indexes, as the API's Javadoc says. */
@NullUnmarked // values are compared as they are
final class CloneTest {
  private static final TransactionOptions NIGHT = TransactionOptions.DEFAULTS.at("night");

  private static Index<Long, Long> index(Canopy db, String name) {
    return db.index(name, Codec.int64(), Codec.int64());
  }

  private static void fill(Canopy db, Index<Long, Long> index, long from, long to, long value) {
    for (long first = from; first < to; first += 100) {
      long begin = first;
      db.run(tx -> {
        for (long key = begin; key < Math.min(to, begin + 100); key++) {
          tx.on(index).put(key, value);
        }
      });
    }
  }

  private static NavigableMap<Long, Long> all(
      Canopy db, Index<Long, Long> index, TransactionOptions options) {
    return db.read(
        options,
        tx -> {
          NavigableMap<Long, Long> found = new TreeMap<>();
          for (Map.Entry<Long, Long> entry : tx.on(index).scan(Range.all())) {
            found.put(entry.getKey(), entry.getValue());
          }
          return found;
        });
  }

  private static NavigableMap<Long, Long> all(Canopy db, Index<Long, Long> index) {
    return all(db, index, TransactionOptions.DEFAULTS);
  }

  @Test
  void aCloneAndItsParentDoNotSeeEachOthersChanges() {
    try (TestGrid grid = TestGrid.network(3, 2, 8, 8)) {
      Canopy db = grid.handle(0);
      Index<Long, Long> parent = index(db, "parent");
      fill(db, parent, 0, 1_000, 1);
      IndexClone made = grid.handle(1).cloneIndex("copy", CloneSource.of("parent"));
      assertThat(made.name()).isEqualTo("copy");
      assertThat(made.parent()).isEqualTo("parent");
      assertThat(made.depth()).isEqualTo(1);
      assertThat(grid.handle(2).clones()).containsExactly(made);

      Index<Long, Long> copy = index(db, "copy");
      fill(db, parent, 500, 1_500, 2);
      db.run(tx -> {
        tx.on(copy).put(7L, 70L);
        tx.on(copy).remove(8L);
        tx.on(copy).put(5_000L, 5L);
        tx.on(copy).put(6_000L, 5L);
        assertThat(tx.on(copy).get(8L)).isNull();
        assertThat(tx.on(copy).get(9L)).isEqualTo(1);
      });
      db.run(tx -> tx.on(copy).remove(6_000L));

      NavigableMap<Long, Long> expected = new TreeMap<>();
      for (long key = 0; key < 1_000; key++) {
        expected.put(key, 1L);
      }
      expected.put(7L, 70L);
      expected.remove(8L);
      expected.put(5_000L, 5L);
      for (int node = 0; node < 3; node++) {
        Canopy there = grid.handle(node);
        assertThat(all(there, index(there, "copy"))).isEqualTo(expected);
        assertThat(all(there, index(there, "parent"))).hasSize(1_500);
      }
    }
  }

  /** Draws operations, and does them in a clone of a clone and in a map. */
  @Test
  void aCloneIsAnIndexLikeAnyOther() {
    Random random = new Random(1);
    try (TestGrid grid = TestGrid.network(2, 2, 8, 8)) {
      Canopy db = grid.handle(0);
      Index<Long, Long> parent = index(db, "parent");
      NavigableMap<Long, Long> expected = new TreeMap<>();
      for (int generation = 0; generation < 3; generation++) {
        Index<Long, Long> now = generation == 0 ? parent : index(db, "copy" + generation);
        for (int round = 0; round < 60; round++) {
          NavigableMap<Long, Long> next = new TreeMap<>(expected);
          long seed = random.nextLong();
          db.run(tx -> {
            next.clear();
            next.putAll(expected);
            Random draws = new Random(seed);
            for (int i = 0; i < 8; i++) {
              CloneSteps.step(draws, tx.on(now), next);
            }
          });
          expected.clear();
          expected.putAll(next);
          assertThat(all(db, now)).isEqualTo(expected);
        }
        db.cloneIndex("copy" + (generation + 1), CloneSource.of(now.name()));
      }
      Index<Long, Long> last = index(db, "copy3");
      assertThat(all(db, last)).isEqualTo(expected);
      assertThat(db.dropIndex("parent")).isTrue();
      assertThat(db.dropIndex("copy2")).isTrue();
      grid.awaitQuiet();
      assertThat(all(db, last)).isEqualTo(expected);
      assertThat(db.flattenClone("copy3")).isEqualTo(expected.size());
      assertThat(all(db, last)).isEqualTo(expected);
      assertThat(db.flattenClone("copy3")).isZero();
      assertThat(db.clones()).extracting(IndexClone::name).containsExactly("copy1");
      for (int round = 0; round < 60; round++) {
        Random draws = new Random(round);
        NavigableMap<Long, Long> next = new TreeMap<>(expected);
        db.run(tx -> {
          for (int i = 0; i < 8; i++) {
            CloneSteps.step(draws, tx.on(last), next);
          }
        });
        expected.clear();
        expected.putAll(next);
      }
      assertThat(all(db, last)).isEqualTo(expected);
    }
  }

  @Test
  void aCloneOfASnapshotStaysWhenTheSnapshotGoes() {
    try (TestGrid grid = TestGrid.standalone(8)) {
      Canopy db = grid.handle(0);
      Index<Long, Long> parent = index(db, "parent");
      fill(db, parent, 0, 200, 1);
      db.snapshot("night");
      fill(db, parent, 0, 300, 2);
      db.cloneIndex("copy", CloneSource.of("parent").at("night"));
      assertThat(db.dropSnapshot("night")).isTrue();
      assertThat(db.snapshots()).isEmpty();
      assertThat(db.dropIndex("parent")).isTrue();
      grid.awaitQuiet();
      Index<Long, Long> copy = index(db, "copy");
      assertThat(all(db, copy)).hasSize(200).containsEntry(199L, 1L);
      Long count = db.read(tx -> tx.on(copy).count(Range.closed(100L, 400L)));
      assertThat(count).isEqualTo(100);
    }
  }

  @Test
  void aSnapshotShowsTheCloneAsItWas() {
    try (TestGrid grid = TestGrid.standalone(8)) {
      Canopy db = grid.handle(0);
      fill(db, index(db, "parent"), 0, 100, 1);
      db.snapshot("before");
      db.cloneIndex("copy", CloneSource.of("parent"));
      Index<Long, Long> copy = index(db, "copy");
      db.run(tx -> tx.on(copy).remove(5L));
      db.snapshot("night");
      db.run(tx -> tx.on(copy).removeRange(Range.all()));
      assertThat(all(db, copy)).isEmpty();
      db.flattenClone("copy");
      db.run(tx -> tx.on(copy).put(1L, 2L));
      assertThat(all(db, copy)).isEqualTo(Map.of(1L, 2L));
      assertThat(all(db, copy, NIGHT)).hasSize(99).doesNotContainKey(5L);
      assertThat(all(db, copy, NIGHT.at("before"))).isEmpty();
      db.dropIndex("copy");
      assertThat(all(db, copy, NIGHT)).hasSize(99);
      // Another index of the name, which is no clone.
      Index<Long, Long> other = index(db, "copy");
      assertThat(all(db, other)).isEmpty();
      Errors.of(ErrorCode.CODEC_MISMATCH, () -> all(db, other, NIGHT));
    }
  }

  /** Transfers between accounts go on while the clone is made, written to and flattened. */
  @Test
  void aCloneShowsOneMomentAndIsFlattenedBesideWriters() throws Exception {
    try (TestGrid grid = TestGrid.network(3, 2, 8, 8)) {
      Canopy db = grid.handle(0);
      Index<Long, Long> accounts = index(db, "accounts");
      fill(db, accounts, 0, 400, 10);
      AtomicBoolean isOver = new AtomicBoolean();
      CompletableFuture<?> inParent =
          CompletableFuture.runAsync(() -> transfer(grid.handle(1), "accounts", isOver));
      db.cloneIndex("copy", CloneSource.of("accounts"));
      Index<Long, Long> copy = index(db, "copy");
      assertThat(sum(db, copy)).isEqualTo(4_000);
      CompletableFuture<?> inClone =
          CompletableFuture.runAsync(() -> transfer(grid.handle(2), "copy", isOver));
      for (int i = 0; i < 20; i++) {
        assertThat(sum(db, copy)).isEqualTo(4_000);
      }
      db.flattenClone("copy");
      for (int i = 0; i < 20; i++) {
        assertThat(sum(db, copy)).isEqualTo(4_000);
        assertThat(sum(db, accounts)).isEqualTo(4_000);
      }
      isOver.set(true);
      inParent.get();
      inClone.get();
      assertThat(sum(db, copy)).isEqualTo(4_000);
    }
  }

  /** An account without anything is removed. */
  private static void transfer(Canopy db, String name, AtomicBoolean isOver) {
    Index<Long, Long> accounts = index(db, name);
    Random random = new Random(7);
    while (!isOver.get()) {
      long from = random.nextInt(400);
      long to = random.nextInt(400);
      db.run(tx -> {
        Long has = tx.on(accounts).get(from);
        if (has != null && from != to) {
          Long other = tx.on(accounts).get(to);
          tx.on(accounts).remove(from);
          tx.on(accounts).put(to, (other == null ? 0 : other) + has);
        }
      });
    }
  }

  private static long sum(Canopy db, Index<Long, Long> index) {
    return all(db, index).values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void firstConflictsWithNothingBehindIt() {
    try (TestGrid grid = TestGrid.standalone(8)) {
      Canopy db = grid.handle(0);
      fill(db, index(db, "parent"), 10, 100, 1);
      db.cloneIndex("copy", CloneSource.of("parent"));
      Index<Long, Long> copy = index(db, "copy");
      AtomicInteger attempts = new AtomicInteger();
      db.run(tx -> {
        attempts.incrementAndGet();
        assertThat(tx.on(copy).firstEntry().getKey()).isEqualTo(10L);
        if (attempts.get() == 1) {
          CompletableFuture.runAsync(() -> db.run(other -> other.on(copy).put(50L, 2L))).join();
        }
        tx.on(copy).put(1_000L, 1L);
      });
      assertThat(attempts).hasValue(1);
      attempts.set(0);
      db.run(tx -> {
        attempts.incrementAndGet();
        tx.on(copy).firstEntry();
        if (attempts.get() == 1) {
          CompletableFuture.runAsync(() -> db.run(other -> other.on(copy).put(5L, 2L))).join();
        }
        tx.on(copy).put(1_001L, 1L);
      });
      assertThat(attempts).hasValue(2);
    }
  }

  @Test
  void aFlatteningWhoseCopiesAPowerCutMayHaveTakenDoesNotEnd() {
    try (TestGrid grid = TestGrid.standalone(8)) {
      Canopy db = grid.handle(0);
      fill(db, index(db, "parent"), 0, 10, 1);
      db.cloneIndex("copy", CloneSource.of("parent"));
      GmuNode node = grid.node(0);
      Catalog catalog = new Catalog(node, new NewSubtrees(node), new Session());
      IndexClones clones = new IndexClones(node, catalog, System::currentTimeMillis);
      int number = catalog.find("copy").number();
      assertThat(clones.flattened("copy", number, node.cuts() - 1)).isFalse();
      assertThat(db.clones()).extracting(IndexClone::name).containsExactly("copy");
      assertThat(db.flattenClone("copy")).isEqualTo(10);
    }
  }

  @Test
  void refusesWhatItCannotBe() {
    try (EmbeddedCanopy db = EmbeddedCanopy.start()) {
      index(db, "parent");
      CloneSource parent = CloneSource.of("parent");
      db.cloneIndex("copy", parent);
      Errors.of(ErrorCode.INDEX_EXISTS, () -> db.cloneIndex("copy", parent));
      Errors.of(ErrorCode.INDEX_EXISTS, () -> db.cloneIndex("parent", parent));
      Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.cloneIndex("x", CloneSource.of("nothing")));
      Errors.of(ErrorCode.UNKNOWN_SNAPSHOT, () -> db.cloneIndex("x", parent.at("nothing")));
      Errors.of(ErrorCode.INVALID_INDEX_NAME, () -> db.cloneIndex("a b", parent));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> db.cloneIndex("x", parent.at("a b")));
      Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.cloneIndex("x", null));
      Errors.of(ErrorCode.PART_OF_TABLE, () -> db.cloneIndex("t.rows", parent));
      Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.flattenClone("nothing"));
      Errors.of(ErrorCode.CODEC_MISMATCH, () -> db.index("copy", Codec.int64(), Codec.string()));
      Errors.of(
          ErrorCode.INVALID_ARGUMENT, () -> db.changes(index(db, "copy"), FeedOptions.fromNow()));
      List<String> names = new ArrayList<>(List.of("copy"));
      for (int depth = 2; depth <= Limits.CLONE_DEPTH_MAX; depth++) {
        names.add("copy" + depth);
        db.cloneIndex("copy" + depth, CloneSource.of(names.get(depth - 2)));
      }
      CloneSource deepest = CloneSource.of(names.get(names.size() - 1));
      Errors.of(ErrorCode.CLONE_TOO_DEEP, () -> db.cloneIndex("x", deepest));
      db.flattenClone(deepest.index());
      assertThat(db.cloneIndex("x", deepest).depth()).isEqualTo(1);
      assertThat(db.flattenClone("parent")).isZero();
    }
  }
}
