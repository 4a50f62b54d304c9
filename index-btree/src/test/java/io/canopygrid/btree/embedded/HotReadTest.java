package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.hot.HotFacts;
import io.canopygrid.btree.hot.HotReader;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.HotFigures;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.hot.HotLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Hot entries, read at a node that has no copy of their shard. */
@NullUnmarked // values are compared as they are
final class HotReadTest {
  private static final TransactionOptions NEAREST =
      TransactionOptions.DEFAULTS.withReadFrom(ReadFrom.NEAREST);

  /** A few reads are enough, so that a slow machine has them, too. */
  private static final ProtocolConfig HOT =
      ProtocolConfig.DEFAULT.withHot(
          new HotLimits(true, 4, 200_000_000L, 5_000_000_000L, 1_000_000L));

  private static final int READS = 300;

  private static Index<Long, Long> index(Canopy db) {
    return db.index("numbers", Codec.int64(), Codec.int64());
  }

  private static Long read(Canopy db) {
    return db.<Long, RuntimeException>read(NEAREST, tx -> tx.on(index(db)).get(1L));
  }

  /** A node that has no copy of the key's shard. */
  private static int away(TestGrid grid, Index<Long, Long> index) {
    int shard = grid.node(0).shardMap().shardOf(grid.subtreeOf(0, index, 1));
    List<NodeId> owners = grid.node(0).topology().shard(shard).owners();
    for (int i = 0; i < grid.size(); i++) {
      if (!owners.contains(grid.node(i).self())) {
        return i;
      }
    }
    throw new AssertionError("all nodes have copies: " + owners);
  }

  private static void await(BooleanSupplier done, String what) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadlineNanos);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Whether a read is answered without a request. */
  private static boolean isAtHand(EmbeddedCanopy db) {
    long before = db.stats().total().remoteRequests();
    read(db);
    return db.stats().total().remoteRequests() == before;
  }

  @Test
  void costNoRequestAndSeeUpdates() {
    try (TestGrid grid = TestGrid.network(3, 2, 4, 16, HOT)) {
      EmbeddedCanopy writer = grid.handle(0);
      Index<Long, Long> index = index(writer);
      writer.run(tx -> tx.on(index).put(1L, 10L));
      int away = away(grid, index);
      EmbeddedCanopy reader = grid.handle(away);
      await(() -> isAtHand(reader), "until the entry is hot");
      assertThat(read(reader)).isEqualTo(10);
      HotFigures there = grid.node(away).hotEntries();
      assertThat(there.copies()).isPositive();
      await(() -> grid.node(away).hotEntries().reads() > 0, "until a tick has counted the reads");
      HotFigures primary = grid.node(grid.primaryOf(index, 1)).hotEntries();
      assertThat(primary.keys()).isPositive();
      assertThat(primary.pushes()).isPositive();
      assertIsToldEverywhere(grid, away);
      grid.handle(grid.primaryOf(index, 1)).run(tx -> tx.on(index).put(1L, 11L));
      await(() -> isAtHand(reader) && read(reader) == 11, "until the copy has the update");
    }
  }

  /** Each node knows which entry is hot, where its copy is, and who answers reads. */
  private static void assertIsToldEverywhere(TestGrid grid, int away) {
    EmbeddedCanopy reader = grid.handle(away);
    int number = reader.served().find("numbers").number();
    String keeper = reader.served().name();
    for (int i = 0; i < grid.size(); i++) {
      HotReader hot = grid.handle(i).served().hot();
      await(
          () -> {
            read(reader);
            List<HotFacts.Entry> told = told(hot, number);
            return told.size() == 1
                && told.get(0).keepers().contains(keeper)
                && told.get(0).copyReadsPerSecond() > 0;
          },
          "until node " + i + " tells of the copy");
      HotFacts.Entry entry = told(hot, number).get(0);
      assertThat(entry.key()).isEqualTo(Codec.int64().encode(1L));
      assertThat(entry.readsPerSecond()).isGreaterThanOrEqualTo(entry.copyReadsPerSecond());
      assertThat(hot.nodes()).hasSize(3).allMatch(node -> node.mode() == HotFacts.Mode.ON);
      assertThat(hot.nodes())
          .anyMatch(node -> node.node().equals(keeper) && node.copies() > 0 && node.reads() > 0)
          .anyMatch(node -> !node.node().equals(keeper) && node.pushes() > 0);
    }
  }

  private static List<HotFacts.Entry> told(HotReader hot, int index) {
    return hot.nodes().stream()
        .flatMap(node -> node.entries().stream())
        .filter(entry -> entry.index() == index)
        .toList();
  }

  @Test
  void seeWhatTheSessionWrote() {
    try (TestGrid grid = TestGrid.network(3, 2, 4, 16, HOT)) {
      Index<Long, Long> index = index(grid.handle(0));
      grid.handle(0).run(tx -> tx.on(index).put(1L, 0L));
      EmbeddedCanopy db = grid.handle(away(grid, index));
      await(() -> isAtHand(db), "until the entry is hot");
      Index<Long, Long> mine = index(db);
      for (long i = 1; i <= READS; i++) {
        long value = i;
        db.run(tx -> tx.on(mine).put(1L, value));
        assertThat(read(db)).isEqualTo(value);
      }
      await(() -> isAtHand(db), "until the copy has the last write");
      assertThat(read(db)).isEqualTo(READS);
    }
  }

  @Test
  void thereAreNoneWhereNobodyAsksForThem() {
    try (TestGrid grid = TestGrid.network(3, 2, 4, 16)) {
      assertNone(grid, HotFigures.NONE);
    }
  }

  private static void assertNone(TestGrid grid, HotFigures none) {
    Index<Long, Long> index = index(grid.handle(0));
    grid.handle(0).run(tx -> tx.on(index).put(1L, 10L));
    int away = away(grid, index);
    EmbeddedCanopy reader = grid.handle(away);
    long before = reader.stats().total().remoteRequests();
    for (int i = 0; i < READS; i++) {
      assertThat(read(reader)).isEqualTo(10);
    }
    assertThat(reader.stats().total().remoteRequests() - before).isGreaterThanOrEqualTo(READS);
    for (int i = 0; i < grid.size(); i++) {
      assertThat(grid.node(i).hotEntries()).isEqualTo(none);
    }
  }
}
