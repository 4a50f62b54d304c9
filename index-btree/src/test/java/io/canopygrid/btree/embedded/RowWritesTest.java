package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Table;
import io.canopygrid.btree.balance.Reshaping.Ending;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.table.TableDefinitions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A commit of rows goes where the rows are, and is refused there where it misses an index. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class RowWritesTest {
  private static final int NODES = 3;
  private static final long KEYS = 40;

  private static final IndexDefinition<String, String> FIRST =
      IndexDefinition.of("first", Codec.string(), row -> row.substring(0, 1));

  private final TestGrid grid = TestGrid.network(NODES, 2, 12, 64, TestGrid.SENT_ONCE);
  private String name;
  private Index<Long, String> rows;
  private int at;

  @AfterEach
  void close() {
    grid.close();
  }

  /** A table whose definitions have their primary at another node than its rows. */
  private Table<Long, String> apart() {
    for (int i = 0; ; i++) {
      name = "t" + i;
      Table<Long, String> table = table(0);
      EmbeddedCanopy db = grid.handle(0);
      rows = db.index(name + ".rows", Codec.int64(), Codec.string());
      int kept = db.numberOf(db.index(name + ".definitions", Codec.string(), Codec.bytes()));
      long kcl = Crown.subtreeOf(grid.node(0).top(), kept, TableDefinitions.key());
      int shard = grid.node(0).shardMap().shardOf(kcl);
      NodeId primary = grid.node(0).topology().shard(shard).owners().get(0);
      at = grid.primaryOf(rows, 1);
      if (!primary.equals(grid.node(at).self())) {
        return table;
      }
    }
  }

  private Table<Long, String> table(int node) {
    return grid.handle(node).table(name, Codec.int64(), Codec.string(), List.of(FIRST));
  }

  private GmuCounters during(int node, Runnable work) {
    GmuCounters before = grid.node(node).counters();
    work.run();
    GmuCounters after = grid.node(node).counters();
    return new GmuCounters(
        after.remoteReads() - before.remoteReads(),
        after.remoteCommits() - before.remoteCommits(),
        0,
        0,
        after.commits() - before.commits(),
        after.onePhaseCommits() - before.onePhaseCommits(),
        after.aborts() - before.aborts(),
        0,
        0,
        0,
        0);
  }

  private void put(int node, long key, String row) {
    Table<Long, String> table = table(node);
    grid.handle(node).run(tx -> tx.on(table).put(key, row));
  }

  @Test
  void aRowCommitsInOnePhaseWhereItIs() {
    apart();
    put(at, 1, "before"); // the handle knows the table
    assertThat(during(at, () -> put(at, 1, "red")))
        .isEqualTo(
            new GmuCounters(
                2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0)); // the definitions: here, and as it opens
  }

  @Test
  void aRowElsewhereIsDecidedByItsPrimaryAlone() {
    apart();
    int other = (at + 1) % NODES;
    put(other, 1, "before");
    GmuCounters count = during(other, () -> put(other, 1, "red"));
    assertThat(count.remoteCommits()).isEqualTo(1); // a prepare, and no decision
    assertThat(count.commits()).isEqualTo(1);
    assertThat(count.onePhaseCommits()).isEqualTo(1);
  }

  /** Puts rows, and while the transaction is open another program builds an index. */
  private int putWhileBuilt(int node, Runnable beside) {
    Table<Long, String> table = table(node);
    AtomicInteger runs = new AtomicInteger();
    grid.handle(node)
        .run(tx -> {
          for (long key = 0; key < KEYS; key += 3) {
            tx.on(table).put(key, "red");
          }
          if (runs.incrementAndGet() == 1) {
            CompletableFuture.runAsync(beside).join();
          }
        });
    return runs.get();
  }

  private List<Long> found(int node) {
    Table<Long, String> table = table(node);
    return grid.handle(node).read(tx -> tx.on(table).by(FIRST).keys("r").toList());
  }

  private static List<Long> written() {
    return LongStream.iterate(0, key -> key < KEYS, key -> key + 3).boxed().toList();
  }

  @Test
  void aWriterWhoMissesAnIndexRunsAgain() {
    apart();
    assertThat(putWhileBuilt(1, () -> table(2).createIndex(FIRST))).isEqualTo(2);
    assertThat(found(0)).isEqualTo(written());
  }

  @Test
  void subtreesThatAreBornPassOnWhatTheirWritersHaveToKnow() {
    apart();
    LongStream.range(0, KEYS).forEach(key -> put(at, key, "blue"));
    split(KEYS / 2);
    assertThat(
            putWhileBuilt(
                1,
                () -> {
                  table(2).createIndex(FIRST);
                  split(KEYS / 4);
                  split(KEYS - KEYS / 4);
                }))
        .isEqualTo(2);
    assertThat(found(0)).isEqualTo(written());
    assertThat(table(0).check().differences()).isEmpty();
  }

  private void split(long key) {
    try {
      assertThat(grid.handle(at).reshaping().split(grid.subtreeOf(at, rows, key)))
          .isEqualTo(Ending.DONE);
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
    grid.awaitQuiet();
  }

  @Test
  void aDropDisturbsNoWriterOfOtherAttributes() {
    apart();
    table(0).createIndex(FIRST);
    put(at, 1, "red");
    Table<Long, String> table = table(at);
    AtomicInteger runs = new AtomicInteger();
    grid.handle(at)
        .run(tx -> {
          tx.on(table).put(1L, "rose");
          if (runs.incrementAndGet() == 1) {
            CompletableFuture.runAsync(() -> table(2).dropIndex("first")).join();
          }
        });
    assertThat(runs).hasValue(1);
    assertThat(table(0).indexes()).isEmpty();
    Table<Long, String> here = table(0);
    assertThat(grid.handle(0).<String, RuntimeException>read(tx -> tx.on(here).get(1L)))
        .isEqualTo("rose");
  }
}
