package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.catalog.IndexDrops;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.transaction.Session;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A dropped index is gone at once, for all nodes, and nothing of it is left at last. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class DropsTest {
  private static final int NODES = 3;
  private static final long KEYS = 200;
  private static final IndexOptions SMALL = IndexOptions.DEFAULTS.withSubtreeEntriesMax(8);

  private final TestGrid grid = TestGrid.network(NODES, 2, 12, 64);

  @AfterEach
  void close() {
    grid.close();
  }

  private Index<Long, String> open(int node) {
    return open(node, "letters");
  }

  private Index<Long, String> open(int node, String name) {
    return grid.handle(node).index(name, Codec.int64(), Codec.string(), SMALL);
  }

  private void fill(Index<Long, String> index) {
    fill(index, "old");
  }

  private void fill(Index<Long, String> index, String value) {
    for (long first = 0; first < KEYS; first += 10) {
      long from = first;
      grid.handle(0)
          .run(tx -> {
            for (long key = from; key < from + 10; key++) {
              tx.on(index).put(key, value);
            }
          });
    }
    grid.awaitQuiet();
  }

  private String get(int node, Index<Long, String> index, long key) {
    return grid.handle(node).<String, RuntimeException>read(tx -> tx.on(index).get(key));
  }

  private long count(int node, TransactionOptions options, Index<Long, String> index) {
    return grid.handle(node).<Long, RuntimeException>read(options, tx -> tx.on(index).count());
  }

  private void refusesAll(int node, Index<Long, String> index) {
    EmbeddedCanopy db = grid.handle(node);
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> get(node, index, 1));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> get(node, index, KEYS - 1));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> count(node, TransactionOptions.DEFAULTS, index));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(index).put(7L, "new")));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(index).remove(190L)));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(index).removeRange(Range.all())));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(index).lastEntry()));
    Errors.of(
        ErrorCode.UNKNOWN_INDEX,
        () -> db.read(tx -> tx.on(index).scan(Range.all()).reverse().stream().toList()));
  }

  /** Goes on until nothing is left of dropped indexes in the copies of all nodes. */
  private void awaitNothingLeft(Set<Integer> numbers, List<Long> kcls) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (isSomethingLeft(numbers, kcls)) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new AssertionError("something is left of " + numbers);
      }
      round();
      LockSupport.parkNanos(5_000_000);
    }
  }

  private void round() {
    for (int i = 0; i < grid.size(); i++) {
      grid.handle(i).leftOfDrops().round();
    }
  }

  /** Repeats a round so often at least, and until this is so, for a bounded time. */
  private static void repeat(int least, Runnable round, BooleanSupplier isDone) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int rounds = 0;
    while (rounds < least || (!isDone.getAsBoolean() && deadlineNanos - System.nanoTime() > 0)) {
      round.run();
      rounds++;
    }
  }

  private boolean isSomethingLeft(Set<Integer> numbers, List<Long> kcls) {
    for (int i = 0; i < grid.size(); i++) {
      int node = i;
      if (kcls.stream().anyMatch(kcl -> grid.node(node).entries(kcl) > 0)
          || !crown(i, numbers).isEmpty()
          || !DropEntry.all(grid.node(i).top()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private Set<Long> crown(int node, Set<Integer> numbers) {
    Set<Long> kcls = new HashSet<>();
    Crown.forEach(
        grid.node(node).top(),
        entry -> {
          if (numbers.contains(entry.index())) {
            kcls.add(entry.kcl());
          }
        });
    return kcls;
  }

  /** The subtree's primary may have removed all before the reader's node has heard of the drop. */
  @Test
  void anIndexIsNotEmptyForANodeThatHasNotHeardOfItsDrop() {
    FaultyNode late = new FaultyNode(grid.node(2));
    EmbeddedCanopy db = grid.faulty(late);
    Index<Long, String> index = db.index("letters", Codec.int64(), Codec.string());
    db.run(tx -> tx.on(index).put(1L, "old"));
    Set<Integer> number = Set.of(db.numberOf(index));
    List<Long> kcls = List.copyOf(crown(2, number));
    assertThat(kcls).hasSize(1);
    OrderedView<VersionChain> before = late.top();
    grid.handle(1).dropIndex("letters");
    awaitNothingLeft(number, kcls);
    late.holdTop(before);
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(index).get(1L)));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(index).lastEntry()));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(index).count()));
  }

  @Test
  void nobodyUsesADroppedIndexAnyMoreAndItsMemoryIsFreed() {
    Index<Long, String> index = open(0);
    fill(index);
    List<Index<Long, String>> handles = List.of(index, open(1), open(2));
    Set<Integer> number = Set.of(grid.handle(0).numberOf(index));
    List<Long> kcls = List.copyOf(crown(0, number));
    assertThat(kcls).hasSizeGreaterThan(10);

    assertThat(grid.handle(1).dropIndex("letters")).isTrue();
    assertThat(grid.handle(2).dropIndex("letters")).isFalse();
    for (int i = 0; i < NODES; i++) {
      refusesAll(i, handles.get(i));
      assertThat(grid.handle(i).indexes()).isEmpty();
    }
    awaitNothingLeft(number, kcls);
    for (int i = 0; i < NODES; i++) {
      refusesAll(i, handles.get(i));
    }
  }

  @Test
  void anIndexOfTheSameNameIsAnother() {
    Index<Long, String> old = open(0);
    Index<Long, String> oldThere = open(2);
    fill(old);
    grid.handle(1).dropIndex("letters");
    for (int i = 0; i < NODES; i++) {
      Index<Long, String> again = open(i);
      String value = "new" + i;
      long key = i;
      grid.handle(i).run(tx -> tx.on(again).put(key, value));
      assertThat(get(i, again, key)).isEqualTo(value);
    }
    refusesAll(0, old);
    refusesAll(2, oldThere);
    assertThat(count(0, TransactionOptions.DEFAULTS, open(0))).isEqualTo(NODES);
    round();
    refusesAll(0, old);
  }

  @Test
  void aSnapshotFromBeforeShowsItUntilItIsDropped() {
    Index<Long, String> old = open(0);
    fill(old);
    Set<Integer> number = Set.of(grid.handle(0).numberOf(old));
    List<Long> kcls = List.copyOf(crown(0, number));
    grid.handle(0).snapshot("before");
    TransactionOptions before = TransactionOptions.DEFAULTS.at("before");
    grid.handle(1).dropIndex("letters");
    repeat(5, this::round, () -> crown(1, number).isEmpty());
    assertThat(crown(1, number)).as("it is away in the present").isEmpty();
    assertThat(count(0, before, old)).as("by a handle from before").isEqualTo(KEYS);
    Index<Long, String> again = open(2);
    grid.handle(2).run(tx -> tx.on(again).put(1_000L, "new"));
    assertThat(count(2, before, again)).as("by a handle of the new one").isEqualTo(KEYS);
    grid.handle(2)
        .read(
            before,
            tx -> {
              assertThat(tx.on(again).get(3L)).isEqualTo("old");
              assertThat(tx.on(again).get(1_000L)).isNull();
              assertThat(tx.on(again).lastEntry()).isEqualTo(Map.entry(KEYS - 1, "old"));
              try (Cursor<Long, String> all = tx.on(again).scan(Range.all())) {
                assertThat(all.reverse().stream().count()).isEqualTo(KEYS);
              }
              try (Cursor<Long, String> all = tx.on(again).scan(Range.all())) {
                assertThat(all.stream().map(Map.Entry::getKey))
                    .containsExactlyElementsOf(
                        java.util.stream.LongStream.range(0, KEYS).boxed().toList());
              }
              return null;
            });
    assertThat(count(2, TransactionOptions.DEFAULTS, again)).isEqualTo(1);
    grid.handle(0).snapshot("after");
    Errors.of(
        ErrorCode.UNKNOWN_INDEX, () -> count(0, TransactionOptions.DEFAULTS.at("after"), old));
    assertThat(count(0, TransactionOptions.DEFAULTS.at("after"), open(0))).isEqualTo(1);
    grid.handle(0).dropSnapshot("before");
    grid.handle(0).dropSnapshot("after");
    awaitNothingLeft(number, kcls);
  }

  @Test
  void aSnapshotShowsTheFirstIndexOfANameThatWasDroppedTwice() {
    Index<Long, String> first = open(0);
    fill(first);
    grid.handle(0).snapshot("before");
    TransactionOptions before = TransactionOptions.DEFAULTS.at("before");
    grid.handle(1).dropIndex("letters");
    Index<Long, String> second = open(2);
    grid.handle(2).run(tx -> tx.on(second).put(1_000L, "second"));
    grid.handle(1).dropIndex("letters");
    for (int i = 0; i < 5; i++) {
      assertThat(count(0, before, first)).isEqualTo(KEYS);
      assertThat(count(2, before, second)).as("by a handle of the second").isEqualTo(KEYS);
      grid.handle(2)
          .read(
              before,
              tx -> {
                assertThat(tx.on(second).get(3L)).isEqualTo("old");
                assertThat(tx.on(second).get(1_000L)).isNull();
                assertThat(tx.on(second).lastEntry()).isEqualTo(Map.entry(KEYS - 1, "old"));
                return null;
              });
      refusesAll(2, second);
      round();
    }
  }

  @Test
  void aSnapshotTakenHalfWayIsRefusedAndNotHalfEmpty() {
    Index<Long, String> old = open(0);
    fill(old);
    grid.handle(1).dropIndex("letters");
    grid.handle(0).snapshot("marked");
    for (int i = 0; i < 3; i++) {
      round();
    }
    TransactionOptions marked = TransactionOptions.DEFAULTS.at("marked");
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> count(0, marked, old));
    assertThat(count(1, marked, open(1))).as("one that was created later").isZero();
  }

  @Test
  void aScanThatIsOpenEndsWithAnErrorOrReadsItsSnapshotToTheEnd() {
    Index<Long, String> index = open(0);
    for (int round = 0; round < 4; round++) {
      fill(index);
      Index<Long, String> scanned = index;
      int dropAt = 1 + round * 45;
      long seen;
      try {
        seen =
            grid.handle(0)
                .<Long, RuntimeException>read(tx -> {
                  long found = 0;
                  try (Cursor<Long, String> all = tx.on(scanned).scan(Range.all())) {
                    for (Iterator<Long> keys = all.keys().iterator(); keys.hasNext(); found++) {
                      keys.next();
                      if (found == dropAt) {
                        dropElsewhere();
                      }
                    }
                  }
                  return found;
                });
      } catch (CanopyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX);
        seen = KEYS;
      }
      assertThat(seen).isEqualTo(KEYS);
      index = open(0);
    }
  }

  private void dropElsewhere() {
    Workers.elsewhere(() -> grid.handle(1).dropIndex("letters"));
    round();
    round();
  }

  @Test
  void aTransactionThatHasReadItCannotCommitAfterTheDrop() {
    Index<Long, String> index = open(0);
    Index<Long, String> other = open(0, "others");
    fill(index);
    for (int rounds = 0; rounds < 2; rounds++) {
      Transaction tx = grid.handle(0).begin();
      assertThat(tx.on(index).get(5L)).isEqualTo("old");
      tx.on(index).put(5L, "late");
      tx.on(other).put(5L, "late");
      grid.handle(1).dropIndex("letters");
      for (int i = 0; i < 3 * rounds; i++) {
        round();
      }
      Errors.of(ErrorCode.UNKNOWN_INDEX, tx::commit);
      assertThat(get(0, other, 5)).isNull();
      index = open(0);
      fill(index);
    }
  }

  @Test
  void anAttemptAfterAnUnknownOutcomeDropsNothingThatWasCreatedMeanwhile() {
    FaultyNode faulty = new FaultyNode(grid.node(2));
    EmbeddedCanopy dropper = grid.faulty(faulty);
    fill(open(0));
    // The first commit is done, as if its outcome were lost, and the index is created anew.
    faulty.instead(() -> {
      grid.handle(0).dropIndex("letters");
      fill(open(0), "new");
      return new Outcome.Unknown();
    });
    assertThat(dropper.dropIndex("letters")).isTrue();
    assertThat(get(0, open(0), 3)).isEqualTo("new");
    assertThat(count(1, TransactionOptions.DEFAULTS, open(1))).isEqualTo(KEYS);
  }

  @Test
  void aShardThatIsSilentDoesNotStopTheOthers() {
    Index<Long, String> index = open(0);
    fill(index);
    int number = grid.handle(0).numberOf(index);
    long quiet =
        crown(0, Set.of(number)).stream()
            .filter(kcl -> isPrimaryOf(2, kcl))
            .findFirst()
            .orElseThrow();
    int silent = grid.node(0).shardMap().shardOf(quiet);
    FaultyNode faulty = new FaultyNode(grid.node(2));
    EmbeddedCanopy dropper = grid.faulty(faulty);
    faulty.answer(query ->
        grid.node(0).shardMap().shardOf(query.kcl()) == silent
            ? new ReadAnswer.Unavailable(silent)
            : null);
    assertThat(dropper.dropIndex("letters")).isTrue();
    int refused = 0;
    for (long key = 0; key < KEYS; key++) {
      long kcl = Crown.subtreeOf(grid.node(0).top(), number, Codec.int64().encode(key));
      if (grid.node(0).shardMap().shardOf(kcl) != silent) {
        long at = key;
        Errors.of(ErrorCode.UNKNOWN_INDEX, () -> get(0, index, at));
        refused++;
      }
    }
    assertThat(refused).isBetween(1, (int) KEYS - 1);
    Predicate<Long> isSilent = kcl -> grid.node(0).shardMap().shardOf(kcl) == silent;
    repeat(
        3,
        dropper.leftOfDrops()::round,
        () ->
            crown(2, Set.of(number)).stream()
                .filter(kcl -> isPrimaryOf(2, kcl))
                .allMatch(isSilent));
    assertThat(crown(2, Set.of(number)).stream().filter(kcl -> isPrimaryOf(2, kcl)))
        .isNotEmpty()
        .allMatch(isSilent);
    faulty.answer(query -> null);
    awaitNothingLeft(Set.of(number), List.copyOf(crown(0, Set.of(number))));
  }

  /** A drop whose node ended before it had marked anything. */
  @Test
  void nobodyWritesIntoAnIndexWhoseNameIsGivenAgain() {
    Index<Long, String> old = open(1);
    fill(open(0));
    GmuNode node = grid.node(2);
    Catalog catalog = new Catalog(node, new NewSubtrees(node), new Session());
    assertThat(new IndexDrops(node, catalog).dropIndex("letters", IndexDrops.NEWEST).isAny())
        .isTrue();
    grid.handle(1).run(tx -> tx.on(old).put(1L, "beside the drop"));

    Index<Long, String> again = open(0);
    grid.handle(0).run(tx -> tx.on(again).put(1L, "again"));
    refusesAll(1, old);
    assertThat(get(1, open(1), 1)).isEqualTo("again");
  }

  private boolean isPrimaryOf(int node, long kcl) {
    var owners = grid.node(0).topology().shard(grid.node(0).shardMap().shardOf(kcl)).owners();
    return owners.get(0).equals(grid.node(node).self());
  }
}
