package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.Reshaping.Ending;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.RetiredEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shifts, merges and moves change no answer: not of readers of any snapshot, nor of writers. */
@NullUnmarked // answers are compared as they are
final class ReshapingTest {
  private static final int ENTRIES = 40;

  private final TestGrid grid = TestGrid.network(3, 2, 12, 16);
  private final EmbeddedCanopy db = grid.handle(0);
  private final Reshaping reshaping = grid.handle(1).reshaping();
  private final Index<Long, String> index = open(db);
  private final TreeMap<Long, String> twin = new TreeMap<>();

  @BeforeEach
  void fill() throws TimeoutException {
    for (long key = 0; key < ENTRIES; key++) {
      twin.put(key, "v" + key);
    }
    db.run(tx -> twin.forEach((key, value) -> tx.on(index).put(key, value)));
    // [0, 20) and [20, 40), there and back.
    assertThat(splitter().split(kcl(0))).isEqualTo(Ending.DONE);
    quiet();
    assertThat(reshaping.shift(kcl(39), true, 1)).isEqualTo(Ending.DONE);
    quiet();
    assertThat(reshaping.shift(kcl(0), false, 1)).isEqualTo(Ending.DONE);
    quiet();
  }

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void aBoundaryMovesInEitherDirection() throws TimeoutException {
    long left = kcl(0);
    long right = kcl(39);
    for (int i = 0; i < 3; i++) {
      assertThat(reshaping.shift(left, false, 5)).isEqualTo(Ending.DONE);
      check(2);
      assertThat(kcl(15)).isEqualTo(right);
      assertThat(kcl(14)).isEqualTo(left);
      assertThat(reshaping.shift(right, true, 10)).isEqualTo(Ending.DONE);
      check(2);
      assertThat(kcl(24)).isEqualTo(left);
      assertThat(kcl(25)).isEqualTo(right);
      assertThat(reshaping.shift(right, true, 5)).isEqualTo(Ending.DONE);
      assertThat(reshaping.shift(left, false, 10)).isEqualTo(Ending.DONE);
      check(2);
    }
  }

  @Test
  void aMergeToEitherSideLeavesOneSubtree() throws TimeoutException {
    assertThat(reshaping.merge(kcl(39), true)).isEqualTo(Ending.DONE);
    check(1);
    assertThat(reshaping.merge(kcl(39), true)).isEqualTo(Ending.IMPOSSIBLE);
    assertThat(splitter().split(kcl(0))).isEqualTo(Ending.DONE);
    check(2);
    assertThat(reshaping.merge(kcl(0), false)).isEqualTo(Ending.DONE);
    check(1);
    assertThat(grid.refusedPrepares()).isZero();
  }

  @Test
  void aSubtreeMovesToAnyShard() throws TimeoutException {
    for (int shard = 0; shard < grid.node(0).shardMap().shards(); shard++) {
      assertThat(reshaping.move(kcl(0), shard)).isEqualTo(Ending.DONE);
      check(2);
      assertThat(grid.node(0).shardMap().shardOf(kcl(0))).isEqualTo(shard);
    }
  }

  @Test
  void anOldSnapshotSeesWhatItSawBefore() throws TimeoutException {
    try (Transaction old = db.begin()) {
      assertThat(old.on(index).get(0L)).isEqualTo("v0");
      TreeMap<Long, String> before = new TreeMap<>(twin);
      changeAll();
      for (long key = 0; key < ENTRIES; key++) {
        assertThat(old.on(index).get(key)).isEqualTo(before.get(key));
      }
      assertThat(old.on(index).count()).isEqualTo(ENTRIES);
      try (var all = old.on(index).scan().reverse()) {
        assertThat(all.keys().toList()).containsExactlyElementsOf(before.descendingKeySet());
      }
      assertThat(old.on(index).count(Range.closed(10L, 30L))).isEqualTo(21);
    }
    assertThat(RetiredEntry.unneeded(grid.node(0).top(), 9)).isEmpty();
  }

  /** A transaction whose reads are unchanged commits, wherever they are now; no body runs twice. */
  @Test
  void aTransactionIsReHomedThroughAllOfIt() throws TimeoutException {
    try (Transaction tx = db.begin()) {
      assertThat(tx.on(index).get(7L)).isEqualTo("v7");
      assertThat(tx.on(index).get(25L)).isEqualTo("v25");
      assertThat(tx.on(index).get(99L)).isNull();
      assertThat(tx.on(index).count(Range.closed(12L, 33L))).isEqualTo(22);
      tx.on(index).put(8L, "new 8");
      tx.on(index).put(26L, "new 26");
      tx.on(index).put(13L, "new 13");
      changeStructure();
      tx.commit();
    }
    twin.put(8L, "new 8");
    twin.put(26L, "new 26");
    twin.put(13L, "new 13");
    assertThat(db.stats().total().aborts()).isEmpty();
    check(1);
  }

  /** A key that was removed at its new place has changed for a reader of the old place. */
  @Test
  void aKeyThatComesBackRemovedIsNotTakenForUnchanged() throws TimeoutException {
    try (Transaction tx = db.begin()) {
      assertThat(tx.on(index).get(19L)).isEqualTo("v19");
      tx.on(index).put(0L, "after 19");
      assertThat(reshaping.shift(kcl(0), false, 5)).isEqualTo(Ending.DONE);
      EmbeddedCanopy other = grid.handle(2);
      other.run(after(), t -> t.on(open(other)).remove(19L));
      twin.remove(19L);
      assertThat(reshaping.shift(kcl(39), true, 4)).isEqualTo(Ending.DONE);
      Errors.of(ErrorCode.WRITE_CONFLICT, tx::commit);
    }
    check(2);
  }

  /** A reader of a removed key commits at a place that never knew the key. */
  @Test
  void aRemovedKeyThatMovedIsStillRemoved() throws TimeoutException {
    db.run(tx -> tx.on(index).remove(19L));
    twin.remove(19L);
    try (Transaction tx = db.begin()) {
      assertThat(tx.on(index).get(19L)).isNull();
      assertThat(tx.on(index).count(Range.closed(15L, 22L))).isEqualTo(7);
      tx.on(index).put(1L, "not 19");
      assertThat(reshaping.shift(kcl(0), false, 5)).isEqualTo(Ending.DONE);
      quiet();
      assertThat(reshaping.shift(kcl(39), true, 5)).isEqualTo(Ending.DONE);
      tx.commit();
    }
    twin.put(1L, "not 19");
    assertThat(db.stats().total().aborts()).isEmpty();
    check(2);
  }

  @Test
  void whatIsRetiredIsRemovedOnceNobodyNeedsIt() throws TimeoutException {
    long gone = kcl(39);
    assertThat(reshaping.merge(gone, true)).isEqualTo(Ending.DONE);
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (reshaping.removed() == 0) {
      assertThat(System.nanoTime()).as("removed in time").isLessThan(deadlineNanos);
      reshaping.removeRetired();
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(reshaping.retired()).isEqualTo(1);
    assertThat(reshaping.merge(gone, true)).isEqualTo(Ending.IMPOSSIBLE);
    check(1);
  }

  private void changeAll() throws TimeoutException {
    changeStructure();
    EmbeddedCanopy other = grid.handle(2);
    other.run(after(), tx -> tx.on(open(other)).removeRange(Range.all()));
    twin.clear();
    check(1);
  }

  /** Each entry goes from subtree to subtree, and in the end all are in one, which is new. */
  private void changeStructure() throws TimeoutException {
    assertThat(reshaping.shift(kcl(0), false, 8)).isEqualTo(Ending.DONE);
    quiet();
    assertThat(reshaping.move(kcl(39), 5)).isEqualTo(Ending.DONE);
    quiet();
    assertThat(reshaping.shift(kcl(39), true, 12)).isEqualTo(Ending.DONE);
    quiet();
    assertThat(reshaping.merge(kcl(0), false)).isEqualTo(Ending.DONE);
    quiet();
    assertThat(reshaping.move(kcl(0), 7)).isEqualTo(Ending.DONE);
    quiet();
  }

  private static Index<Long, String> open(EmbeddedCanopy handle) {
    IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(1_000);
    return handle.index("shape", Codec.int64(), Codec.string(), options);
  }

  private Reshaping splitter() {
    return grid.handle(grid.primaryOf(index, 0)).reshaping();
  }

  private long kcl(long key) {
    quiet();
    return grid.subtreeOf(0, index, key);
  }

  private void quiet() {
    grid.awaitQuiet();
  }

  private TransactionOptions after() {
    return TransactionOptions.DEFAULTS.withAfter(db.token());
  }

  private void check(int subtrees) {
    quiet();
    for (int i = 0; i < grid.size(); i++) {
      db.read(TransactionOptions.DEFAULTS.withAfter(grid.handle(i).token()), tx -> 0);
    }
    IndexCheck.Report report = db.check(index, Duration.ofSeconds(10));
    assertThat(report.entries()).isEqualTo(twin.size());
    assertThat(report.subtrees()).isEqualTo(subtrees);
    assertThat(report.closing()).isZero();
    List<Long> crown = new ArrayList<>();
    Crown.forEach(grid.node(0).top(), (CrownEntry entry) -> crown.add(entry.kcl()));
    assertThat(crown).doesNotHaveDuplicates().hasSize(subtrees);
    assertThat(
            db.<TreeMap<Long, String>, RuntimeException>read(tx -> {
              TreeMap<Long, String> found = new TreeMap<>();
              try (var all = tx.on(index).scan()) {
                all.forEach(e -> found.put(e.getKey(), e.getValue()));
              }
              return found;
            }))
        .isEqualTo(twin);
  }
}
