package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes on real threads, whose disks have as much room as the test says. */
@Timeout(300)
final class FullDiskTest {
  private static final CompositeKey KEY = TestNodes.key(1, 1);

  private final List<AtomicLong> free = Stream.generate(() -> new AtomicLong(99)).limit(3).toList();

  private InProcessNetwork start() {
    List<NodeStorage> disks =
        free.stream()
            .map(left ->
                new NodeStorage(new InMemoryStorage(), Durability.ASYNC)
                    .withReserve(new DiskReserve("d", 40 << 20, () -> left.get() << 20)))
            .toList();
    return InProcessNetwork.startStored(
        disks, 2, TestNodes.SHARDS, NodeSettings.DEFAULT, TreeMapStore.FACTORY);
  }

  private static Outcome put(InProcessNetwork grid, int node, byte @Nullable [] value)
      throws TimeoutException {
    GmuTransaction tx = grid.node(node).begin(VectorClock.ZERO, TestNodes.in(20_000));
    Footprint.Write write = new Footprint.Write(KEY, value, null);
    return tx.commit(new Footprint(List.of(), List.of(), List.of(write)), "");
  }

  private static void awaitPut(InProcessNetwork grid, int node, Outcome.@Nullable AbortReason why)
      throws TimeoutException {
    Outcome outcome = put(grid, node, TestNodes.number(7));
    while (why != reason(outcome)) {
      outcome = put(grid, node, TestNodes.number(7));
    }
  }

  private static Outcome.@Nullable AbortReason reason(Outcome outcome) {
    return outcome instanceof Outcome.Aborted aborted ? aborted.reason() : null;
  }

  @Test
  void aNodeTellsWhenItsDiskIsFullAndWhenItIsNot() throws TimeoutException {
    try (InProcessNetwork grid = start()) {
      awaitPut(grid, 0, null);
      free.get(1).set(39);
      for (int node = 0; node < 3; node++) {
        awaitPut(grid, node, Outcome.AbortReason.DISK_FULL);
      }
      Outcome.Aborted refused = (Outcome.Aborted) put(grid, 0, TestNodes.number(7));
      assertThat(refused.otherLabel())
          .isEqualTo(
              "the disk of data directory d at node %s has 39 MiB left, and data.reserve keeps back"
                  + " 40 MiB: free or add room until 50 MiB are left",
              grid.node(1).self());
      assertThat(put(grid, 0, null)).isInstanceOf(Outcome.Committed.class);
      GmuTransaction tx = grid.node(0).begin(VectorClock.ZERO, TestNodes.in(20_000));
      assertThat(TestNodes.get(tx, KEY).value()).isNull();
      tx.end();

      free.get(1).set(50);
      for (int node = 0; node < 3; node++) {
        awaitPut(grid, node, null);
      }
    }
  }

  @Test
  void aNodeStartsOnAFullDisk() throws TimeoutException {
    free.forEach(left -> left.set(1));
    try (InProcessNetwork grid = start()) {
      awaitPut(grid, 2, Outcome.AbortReason.DISK_FULL);
      free.forEach(left -> left.set(50));
      awaitPut(grid, 2, null);
    }
  }

  @Test
  void itTakesMoreRoomToGoOnThanToStop() {
    AtomicLong left = new AtomicLong(40);
    DiskWatch watch =
        new DiskWatch(
            new io.canopygrid.gmu.NodeId(1),
            new DiskReserve("d", 40 << 20, () -> left.get() << 20));
    assertThat(watch.look()).isFalse();
    assertThat(watch.trouble()).isNull();
    left.set(39);
    assertThat(watch.look()).isTrue();
    assertThat(words(watch)).contains("39 MiB");
    assertThat(watch.look()).isFalse();
    left.set(49);
    assertThat(watch.look()).isTrue();
    assertThat(words(watch)).contains("49 MiB");
    left.set(-1);
    assertThat(watch.look()).isFalse();
    assertThat(words(watch)).contains("49 MiB");
    left.set(50);
    assertThat(watch.look()).isTrue();
    assertThat(watch.trouble()).isNull();
    left.set(40);
    assertThat(watch.look()).isFalse();
  }

  private static String words(DiskWatch watch) {
    return Objects.requireNonNull(watch.trouble()).words();
  }

  /** One trouble does not hide the other one for good. */
  @Test
  void aDiskCanBeFullAndSlowAtATime() {
    AtomicLong left = new AtomicLong(39);
    DiskWatch watch =
        new DiskWatch(
            new io.canopygrid.gmu.NodeId(1),
            new DiskReserve("d", 40 << 20, () -> left.get() << 20));
    assertThat(watch.look()).isTrue();
    assertThat(watch.waits(1_999_999_999)).isFalse();
    assertThat(watch.waits(2_000_000_000)).isTrue();
    assertThat(words(watch)).contains("has taken nothing for 2 s");
    assertThat(watch.waits(3_000_000_000L)).isFalse();
    assertThat(watch.look()).isFalse();
    assertThat(watch.waits(0)).isTrue();
    assertThat(words(watch)).contains("39 MiB");
    left.set(50);
    assertThat(watch.waits(2_000_000_000)).isTrue();
    assertThat(watch.look()).isFalse();
    assertThat(watch.waits(0)).isTrue();
    assertThat(watch.trouble()).isNull();
  }
}
