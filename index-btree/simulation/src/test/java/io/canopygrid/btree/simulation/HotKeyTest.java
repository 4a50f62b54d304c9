package io.canopygrid.btree.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.TimedCosts;
import io.canopygrid.gmu.simulation.TimedGrid;
import io.canopygrid.gmu.simulation.TimedWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Many clients that increment one key take turns (protocol.md, Turns). In virtual time. */
@NullUnmarked // answers are compared as they are
final class HotKeyTest {
  private static final int CLIENTS = 16;
  private static final long KEY = 7;
  private static final TimedCosts COSTS =
      new TimedCosts(2, 50_000, 5_000, 5_000, 3_000, Map.of(), 5_000);

  private final TimedGrid grid =
      new TimedGrid(3, 2, 8, COSTS, TimedWire.PLAIN, BPlusTree.factory(), new SubtreeFences(), 1);
  private final List<EmbeddedCanopy> handles = new ArrayList<>();
  private final long[] commits = new long[CLIENTS];

  /** At all nodes: those where the key is are faster, and do not get more for it. */
  @Test
  void transactionsHardlyAbortAndNobodyStarves() {
    run(3, (db, index) -> db.run(tx -> tx.on(index).merge(KEY, 1L, Long::sum)));
    assertThat(abortsPerCommit()).isLessThan(0.05);
    assertThat(leastShare()).isGreaterThan(0.9);
  }

  /** All at the node that has the key: there they wait before they read. */
  @Test
  void functionsDoNotAbortAtAll() {
    run(1, (db, index) -> db.execute(Functions.add(index, KEY, 1)));
    assertThat(abortsPerCommit()).isLessThan(0.02);
    assertThat(leastShare()).isGreaterThan(0.9);
  }

  /** One client's increment. */
  private interface Increment {
    void run(Canopy db, Index<Long, Long> index);
  }

  private void run(int nodesMax, Increment increment) {
    for (GmuNode node : grid.nodes()) {
      handles.add(SimulatedHandle.of(node, SplitLimits.DEFAULT));
    }
    grid.client("driver", () -> drive(nodesMax, increment));
    grid.run();
  }

  private void drive(int nodesMax, Increment increment) {
    Canopy first = handles.get(0);
    Index<Long, Long> index = open(first);
    first.run(tx -> tx.on(index).put(KEY, 0L));
    int home = owner();
    long end = grid.now() + TimeUnit.SECONDS.toNanos(1);
    Consumer<Integer> client =
        c -> {
          Canopy db = handles.get((home + c % nodesMax) % handles.size());
          Index<Long, Long> own = open(db);
          for (; grid.now() < end; commits[c]++) {
            increment.run(db, own);
          }
        };
    for (int c = 0; c < CLIENTS; c++) {
      int number = c;
      grid.client("client " + c, () -> client.accept(number));
    }
    grid.sleep(TimeUnit.SECONDS.toNanos(2));
    long sum = first.read(tx -> tx.on(index).get(KEY));
    assertThat(sum).isEqualTo(LongStream.of(commits).sum()).isGreaterThan(100);
  }

  private static Index<Long, Long> open(Canopy db) {
    return db.index("counters", Codec.int64(), Codec.int64());
  }

  /** Which node has the key: who reads it there asks nobody. */
  private int owner() {
    for (int i = 0; i < handles.size(); i++) {
      Canopy db = handles.get(i);
      Index<Long, Long> index = open(db);
      long before = requests(db);
      db.read(tx -> tx.on(index).get(KEY));
      if (requests(db) == before) {
        return i;
      }
    }
    throw new AssertionError("all nodes ask another one");
  }

  private static long requests(Canopy db) {
    return db.stats().byIndex().get("counters").remoteRequests();
  }

  private double abortsPerCommit() {
    long aborts = handles.stream().mapToLong(db -> db.stats().total().abortsOfAllCodes()).sum();
    return aborts / (double) LongStream.of(commits).sum();
  }

  private double leastShare() {
    return LongStream.of(commits).min().orElse(0) * (double) CLIENTS / LongStream.of(commits).sum();
  }
}
