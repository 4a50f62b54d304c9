package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.catalog.IndexDrops;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.drop.DropKeeper;
import io.canopygrid.btree.drop.DropLimits;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The work on dropped indexes is bounded, and what is silent waits. */
final class DropKeeperTest {
  private static final IndexOptions SMALL = IndexOptions.DEFAULTS.withSubtreeEntriesMax(8);

  private final TestGrid grid = TestGrid.network(3, 2, 12, 64);

  @AfterEach
  void close() {
    grid.close();
  }

  private int filled(String name) {
    EmbeddedCanopy db = grid.handle(0);
    Index<Long, String> index = db.index(name, Codec.int64(), Codec.string(), SMALL);
    for (long first = 0; first < 200; first += 10) {
      long from = first;
      db.run(tx -> {
        for (long key = from; key < from + 10; key++) {
          tx.on(index).put(key, "v");
        }
      });
    }
    grid.awaitQuiet();
    return db.numberOf(index);
  }

  private static DropLimits scanning(int most) {
    return new DropLimits(64, 1_000, 10, 2_000, 10_000, 200, 300, most);
  }

  /** A copy of TOP that counts what is looked at. */
  private record CountedView(OrderedView<VersionChain> view, AtomicInteger seen)
      implements OrderedView<VersionChain> {
    @Override
    public @Nullable VersionChain get(byte[] key) {
      return view.get(key);
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public OrderedCursor<VersionChain> ascending(byte[] from) {
      return counted(view.ascending(from));
    }

    @Override
    public OrderedCursor<VersionChain> descending(byte @Nullable [] below) {
      return counted(view.descending(below));
    }

    private OrderedCursor<VersionChain> counted(OrderedCursor<VersionChain> cursor) {
      return new OrderedCursor<>() {
        @Override
        public boolean next() {
          seen.incrementAndGet();
          return cursor.next();
        }

        @Override
        public byte[] key() {
          return cursor.key();
        }

        @Override
        public VersionChain value() {
          return cursor.value();
        }
      };
    }
  }

  private void roundOfAll() {
    for (int node = 0; node < grid.size(); node++) {
      grid.handle(node).leftOfDrops().round();
    }
  }

  @Test
  void aRoundLooksAtABoundedPartOfWhatASnapshotKeeps() {
    filled("others");
    int number = filled("letters");
    grid.handle(0).snapshot("before");
    grid.handle(1).dropIndex("letters");
    for (int i = 0; i < 20; i++) {
      roundOfAll();
    }
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Crown.entriesOf(grid.node(0).top(), number).isEmpty()
        && deadlineNanos - System.nanoTime() > 0) {
      roundOfAll();
    }
    assertThat(Crown.entriesOf(grid.node(0).top(), number)).isEmpty();
    assertThat(DropEntry.all(grid.node(0).top())).hasSize(1);

    FaultyNode counting = new FaultyNode(grid.node(0));
    AtomicInteger seen = new AtomicInteger();
    counting.holdTop(new CountedView(grid.node(0).top(), seen));
    try (DropKeeper keeper = new DropKeeper(counting, scanning(4), () -> {})) {
      for (int i = 0; i < 20; i++) {
        seen.set(0);
        keeper.round();
        assertThat(seen.get()).isBetween(1, 10);
      }
    }
  }

  @Test
  void roundsOfAFewEntriesComeToAllSubtrees() {
    filled("others");
    filled("letters");
    filled("words");
    for (String name : List.of("letters", "words")) {
      assertThat(grid.handle(1).drops().dropIndex(name, IndexDrops.NEWEST).isAny()).isTrue();
    }
    List<DropKeeper> keepers =
        List.of(
            new DropKeeper(grid.node(0), scanning(3), () -> {}),
            new DropKeeper(grid.node(1), scanning(3), () -> {}),
            new DropKeeper(grid.node(2), scanning(3), () -> {}));
    long beganNanos = System.nanoTime();
    while (!DropEntry.all(grid.node(0).top()).isEmpty()
        && System.nanoTime() - beganNanos < TimeUnit.SECONDS.toNanos(60)) {
      keepers.forEach(DropKeeper::round);
      LockSupport.parkNanos(1_000_000); // until the horizon has passed the drops
    }
    keepers.forEach(DropKeeper::close);
    assertThat(DropEntry.all(grid.node(0).top())).isEmpty();
    AtomicInteger left = new AtomicInteger();
    Crown.forEach(grid.node(0).top(), entry -> left.incrementAndGet());
    assertThat(left.get()).isEqualTo(grid.handle(0).structure("others").subtrees().size());
  }

  @Test
  void aNodeThatIsSilentTakesNoTimeFromTheShardsOfOthers() throws TimeoutException {
    int number = filled("letters");
    List<CrownEntry> subtrees = Crown.entriesOf(grid.node(0).top(), number);
    grid.handle(1).drops().dropIndex("letters", IndexDrops.NEWEST);
    DropEntry drop = DropEntry.all(grid.node(1).top()).get(0).drop();

    AtomicLong passed = new AtomicLong();
    FaultyNode faulty = new FaultyNode(grid.node(1), passed::get);
    faulty.answer(query -> {
      if (!isPrimary(0, query.kcl())) {
        return null;
      }
      passed.addAndGet(TimeUnit.MILLISECONDS.toNanos(60_000)); // the whole time of a transaction
      return new ReadAnswer.Unavailable(grid.node(0).shardMap().shardOf(query.kcl()));
    });
    DropLimits limits = new DropLimits(64, 1_000, 10, 60_000, 90_000, 200, 300, 1_000);
    try (DropKeeper keeper = new DropKeeper(faulty, limits, () -> {})) {
      keeper.mark(List.of(drop));
    }
    int others = 0;
    for (CrownEntry entry : subtrees) {
      if (!isPrimary(0, entry.kcl())) {
        assertThat(header(entry.kcl()).isDropped()).as("%s", entry).isTrue();
        others++;
      }
    }
    assertThat(others).isBetween(1, subtrees.size() - 1);
  }

  private boolean isPrimary(int node, long kcl) {
    GmuNode any = grid.node(0);
    return any.topology()
        .shard(any.shardMap().shardOf(kcl))
        .owners()
        .get(0)
        .equals(grid.node(node).self());
  }

  private SubtreeHeader header(long kcl) throws TimeoutException {
    GmuTransaction transaction = grid.node(0).begin(VectorClock.ZERO, Long.MAX_VALUE);
    try {
      ReadAnswer answer = transaction.read(new ReadQuery.Get(CompositeKey.header(kcl)));
      byte[] value = ((ReadAnswer.Got) answer).value();
      assertThat(value).isNotNull();
      return SubtreeHeader.decode(value);
    } finally {
      transaction.end();
    }
  }
}
