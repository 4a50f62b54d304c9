package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations cost a known number of remote requests, counted at the node, on three nodes. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class RemoteRequestsTest {
  private static final int ENTRIES = 400;

  private final TestGrid grid = TestGrid.network(3, 2, 12, 64, TestGrid.SENT_ONCE);
  private final EmbeddedCanopy db = grid.handle(0);
  private final Index<Long, String> index =
      db.index(
          "costs", Codec.int64(), Codec.string(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(16));

  @BeforeEach
  void load() {
    for (long key = 0; key < ENTRIES; key++) {
      long k = key;
      db.run(tx -> tx.on(index).put(k, "v" + k));
    }
    grid.awaitQuiet();
  }

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void splitsSpreadTheDataOverAllNodes() {
    for (int i = 0; i < grid.size(); i++) {
      assertThat(grid.keyAt(i, index, 0)).isLessThan(ENTRIES);
    }
  }

  @Test
  void pointLookupOfAKeyOnAnotherNodeCostsExactlyOneRemoteRequest() {
    for (int i = 1; i < grid.size(); i++) {
      long key = grid.keyAt(i, index, 0);
      assertThat(costOf(() -> lookUp(key))).as("key %s at node %s", key, i).isEqualTo(1);
    }
  }

  @Test
  void pointLookupOfAKeyOnThisNodeCostsNone() {
    long key = grid.keyAt(0, index, 0);
    assertThat(costOf(() -> lookUp(key))).isZero();
  }

  @Test
  void pointLookupOfAMissingKeyCostsThatOfAFoundOne() {
    assertThat(costOf(() -> assertThat(get(10_000 + grid.keyAt(0, index, 0))).isNull()))
        .isEqualTo(grid.primaryOf(index, 10_000) == 0 ? 0 : 1);
  }

  @Test
  void blindPutToOneRemoteShardAndItsCommitCostExactlyOne() {
    for (int i = 1; i < grid.size(); i++) {
      long key = grid.keyAt(i, index, 0);
      assertThat(costOf(() -> db.run(tx -> tx.on(index).put(key, "new"))))
          .as("key %s at node %s", key, i)
          .isEqualTo(1);
      assertThat(get(key)).isEqualTo("new");
    }
  }

  @Test
  void blindPutOfAKeyOnThisNodeCostsNone() {
    long key = grid.keyAt(0, index, 0);
    assertThat(costOf(() -> db.run(tx -> tx.on(index).put(key, "new")))).isZero();
  }

  @Test
  void blindRemoveToOneRemoteShardAndItsCommitCostExactlyOne() {
    long key = grid.keyAt(1, index, 0);
    assertThat(costOf(() -> db.run(tx -> tx.on(index).remove(key)))).isEqualTo(1);
    assertThat(get(key)).isNull();
  }

  @Test
  void readModifyWriteOfARemoteKeyCostsAReadAndACommit() {
    long key = grid.keyAt(2, index, 0);
    assertThat(costOf(() -> db.run(tx -> tx.on(index).compute(key, (k, v) -> v + "!"))))
        .isEqualTo(2);
  }

  @Test
  void writesToTwoRemoteShardsCostTwoEach() {
    long first = grid.keyAt(1, index, 0);
    long second = grid.keyAt(2, index, 0);
    assertThat(
            costOf(() ->
                db.run(tx -> {
                  tx.on(index).put(first, "new");
                  tx.on(index).put(second, "new");
                })))
        .isEqualTo(4);
  }

  @Test
  void keysReadAgainInOneTransactionCostNothingMore() {
    long key = grid.keyAt(1, index, 0);
    assertThat(
            costOf(() -> {
              try (var tx = db.begin()) {
                tx.on(index).get(key);
                tx.on(index).get(key);
                tx.on(index).containsKey(key);
              }
            }))
        .isEqualTo(1);
  }

  @Test
  void shortScanWithinOneRemoteSubtreeCostsOne() {
    long key = grid.keyAt(1, index, 0);
    assertThat(
            costOf(() ->
                db.read(tx -> {
                  try (Cursor<Long, String> c = tx.on(index).scan(Range.atLeast(key)).limit(2)) {
                    assertThat(c.keys().toList()).containsExactly(key, key + 1);
                  }
                  return null;
                })))
        .isEqualTo(1);
  }

  @Test
  void aScanOfAHundredCostsOneForEachSubtreeElsewhereThatItTouches() {
    Index<Long, String> wide = db.index("wide", Codec.int64(), Codec.string());
    for (long from = 0; from < ENTRIES; from += 100) {
      long first = from;
      db.run(tx -> {
        for (long key = first; key < first + 100; key++) {
          tx.on(wide).put(key, "v" + key);
        }
      });
    }
    for (Index<Long, String> scanned : List.of(index, wide)) {
      Set<Long> elsewhere = new HashSet<>();
      for (long key = 50; key < 150; key++) {
        if (grid.primaryOf(scanned, key) != 0) {
          elsewhere.add(grid.subtreeOf(0, scanned, key));
        }
      }
      long cost =
          costOf(() ->
              db.read(tx -> {
                try (Cursor<Long, String> c = tx.on(scanned).scan(Range.atLeast(50L)).limit(100)) {
                  assertThat(c.keys().toList()).hasSize(100);
                }
                return null;
              }));
      assertThat(cost).as(scanned.name()).isEqualTo(elsewhere.size());
    }
  }

  @Test
  void countOfAllCostsOneForEachSubtreeElsewhere() {
    long elsewhere = 0;
    long before = -1;
    for (long key = 0; key < ENTRIES; key++) {
      long subtree = grid.subtreeOf(0, index, key);
      elsewhere += subtree != before && grid.primaryOf(index, key) != 0 ? 1 : 0;
      before = subtree;
    }
    long cost = costOf(() -> assertThat(count()).isEqualTo(ENTRIES));
    assertThat(cost).isEqualTo(elsewhere).isGreaterThan(10);
    long counted = db.stats().total().remoteRequests();
    count();
    assertThat(db.stats().total().remoteRequests() - counted).isEqualTo(elsewhere);
  }

  @Test
  void aLongScanCostsNoMoreThanOneForEachPage() {
    long whole = costOf(() -> count());
    long scanned =
        costOf(() ->
            db.read(tx -> {
              try (Cursor<Long, String> c = tx.on(index).scan(Range.all())) {
                assertThat(c.keys().toList()).hasSize(ENTRIES).isSorted();
              }
              return null;
            }));
    assertThat(scanned).isEqualTo(whole);
  }

  @Test
  void theNextPageIsAskedForWhileTheCallerReads() {
    db.read(tx -> {
      try (Cursor<Long, String> c = tx.on(index).scan().reverse()) {
        Set<Long> elsewhere = new HashSet<>();
        int ahead = 0;
        long before = requests();
        for (Map.Entry<Long, String> entry : c) {
          if (grid.primaryOf(index, entry.getKey()) != 0) {
            elsewhere.add(grid.subtreeOf(0, index, entry.getKey()));
          }
          long most = requests() - before - elsewhere.size();
          assertThat(most).as("asked for more than the next one").isBetween(0L, 1L);
          ahead += (int) most;
        }
        assertThat(ahead).isGreaterThan(ENTRIES / 8);
      }
      return null;
    });
  }

  @Test
  void aCursorThatIsLeftEarlyAsksForNothingMore() {
    long key = grid.keyAt(1, index, 0);
    long cost =
        costOf(() ->
            db.read(tx -> {
              try (Cursor<Long, String> c = tx.on(index).scan(Range.atLeast(key))) {
                assertThat(c.iterator().next().getKey()).isEqualTo(key);
              }
              return null;
            }));
    assertThat(cost).isEqualTo(1);
  }

  @Test
  void aReverseScanCostsNoMoreThanOneForEachPage() {
    long whole = costOf(() -> count());
    long scanned =
        costOf(() ->
            db.read(tx -> {
              try (Cursor<Long, String> c = tx.on(index).scan(Range.all()).reverse()) {
                assertThat(c.keys().toList()).hasSize(ENTRIES);
              }
              return null;
            }));
    assertThat(scanned).isEqualTo(whole);
  }

  @Test
  void theNearestEntriesCostAtMostOneEach() {
    long key = grid.keyAt(1, index, 0);
    List<Function<ReadView<Long, String>, Map.Entry<Long, String>>> questions =
        List.of(
            ReadView::firstEntry,
            ReadView::lastEntry,
            v -> v.floorEntry(key),
            v -> v.ceilingEntry(key));
    for (var question : questions) {
      long cost =
          costOf(() ->
              db.read(tx -> {
                assertThat(question.apply(tx.on(index))).isNotNull();
                return null;
              }));
      assertThat(cost).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aCountOfAPartOfASubtreeCostsOneAndSendsNoEntries() {
    long key = grid.keyAt(1, index, 0);
    long cost =
        costOf(() ->
            db.read(tx -> {
              assertThat(tx.on(index).count(Range.closed(key, key + 1))).isEqualTo(2);
              return null;
            }));
    assertThat(cost).isEqualTo(1);
  }

  private long requests() {
    return grid.node(0).counters().remoteRequests();
  }

  private long count() {
    return db.<Long, RuntimeException>read(tx -> tx.on(index).count());
  }

  @Test
  void transactionOfLocalKeysOnSeveralShardsCommitsInOnePhase() {
    long first = grid.keyAt(0, index, 0);
    long second = grid.keyAt(0, index, 200);
    assertThat(
            costOf(() ->
                db.run(tx -> {
                  tx.on(index).compute(first, (k, v) -> v + "!");
                  tx.on(index).compute(second, (k, v) -> v + "!");
                })))
        .isZero();
  }

  @Test
  void statisticsCountWhatTheNodeCounts() {
    long before = db.stats().total().remoteRequests();
    long counted =
        costOf(() -> {
          lookUp(grid.keyAt(1, index, 0));
          db.run(tx -> tx.on(index).put(grid.keyAt(2, index, 0), "new"));
        });
    assertThat(db.stats().total().remoteRequests() - before).isEqualTo(counted).isEqualTo(2);
  }

  private void lookUp(long key) {
    assertThat(get(key)).isEqualTo("v" + key);
  }

  private String get(long key) {
    return db.<String, RuntimeException>read(tx -> tx.on(index).get(key));
  }

  private long costOf(Runnable action) {
    long before = grid.node(0).counters().remoteRequests();
    action.run();
    return grid.node(0).counters().remoteRequests() - before;
  }
}
