package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.memory.ForwardingStorage;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.storage.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Nodes on real threads, one of which has a disk that hangs. */
@Timeout(300)
@NullUnmarked // each test starts its nodes
final class SlowDiskTest {
  private static final Logger LOG = LoggerFactory.getLogger(SlowDiskTest.class);
  private static final CompositeKey KEY = TestNodes.key(1, 1);

  private final List<HangingStorage> disks = Stream.generate(HangingStorage::new).limit(3).toList();

  private InProcessNetwork grid;

  @AfterEach
  void close() {
    disks.get(1).goOn();
    grid.close();
  }

  private InProcessNetwork start(Durability durability, long timeoutMillis) {
    return InProcessNetwork.startStored(
        disks.stream()
            .map(disk -> new NodeStorage(disk, durability).withTimeout(timeoutMillis))
            .toList(),
        3,
        TestNodes.SHARDS,
        NodeSettings.DEFAULT,
        TreeMapStore.FACTORY);
  }

  private static CompletableFuture<Outcome> put(InProcessNetwork grid, int node) {
    return CompletableFuture.supplyAsync(
        () -> {
          GmuTransaction tx = grid.node(node).begin(VectorClock.ZERO, TestNodes.in(250_000));
          Footprint.Write write = new Footprint.Write(KEY, TestNodes.number(7), null);
          return tx.commit(new Footprint(List.of(), List.of(), List.of(write)), "");
        },
        task -> new Thread(task, "puts").start());
  }

  /** Puts are begun until the coordinator has heard; those before wait for the disk. */
  private static Outcome.Aborted refusal(InProcessNetwork grid) throws Exception {
    for (; ; ) {
      try {
        Outcome outcome = put(grid, 0).get(200, TimeUnit.MILLISECONDS);
        if (outcome instanceof Outcome.Aborted aborted
            && aborted.reason() == AbortReason.DISK_SLOW) {
          return aborted;
        }
      } catch (TimeoutException e) {
        LOG.debug("it waits as the first one does", e);
      }
    }
  }

  /** A write that was told the disk before it was known to be slow ends when it answers. */
  @ParameterizedTest
  @EnumSource(Durability.class)
  void writesAreRefusedUntilTheDiskAnswers(Durability durability) throws Exception {
    grid = start(durability, 600_000);
    HangingStorage disk = disks.get(1);
    assertThat(put(grid, 0).get()).isInstanceOf(Outcome.Committed.class);
    disk.hang();
    CompletableFuture<Outcome> first = put(grid, 0);
    while (grid.node(1).unstoredNanos() < TimeUnit.SECONDS.toNanos(2)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(refusal(grid).otherLabel())
        .contains("at node " + grid.node(1).self() + " has taken nothing for 2 s");
    assertThat(first).as("owners that have not stored it are waited for").isNotDone();

    disk.goOn();
    assertThat(first.get()).isInstanceOf(Outcome.Committed.class);
    while (!(put(grid, 0).get() instanceof Outcome.Committed)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(put(grid, 2).get()).isInstanceOf(Outcome.Committed.class);
  }

  /** Its disk is closed as soon as the write that hangs ends, by the thread that has waited. */
  @ParameterizedTest
  @EnumSource(Durability.class)
  void aNodeWhoseDiskHangsForTooLongEnds(Durability durability) throws Exception {
    grid = start(durability, 3_000);
    HangingStorage disk = disks.get(1);
    assertThat(put(grid, 0).get()).isInstanceOf(Outcome.Committed.class);
    disk.hang();
    CompletableFuture<Outcome> waits = put(grid, 0);
    while (grid.node(1).failure() == null) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(grid.node(1).failure())
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("has taken nothing for 3000 ms, which is data.diskTimeout");
    assertThat(disk.closed.getCount()).isEqualTo(1);
    assertThat(waits).as("nobody has taken the node out of the grid").isNotDone();
    assertThat(grid.node(0).failure()).isNull();
    disk.goOn();
    disk.closed.await();
  }

  /** Takes nothing while it is told to hang. */
  private static final class HangingStorage extends ForwardingStorage {
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile CountDownLatch passes = new CountDownLatch(0);

    HangingStorage() {
      super(new InMemoryStorage());
    }

    void hang() {
      passes = new CountDownLatch(1);
    }

    void goOn() {
      passes.countDown();
    }

    @Override
    public void write(List<Batch> batches) {
      try {
        passes.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      super.write(batches);
    }

    @Override
    public void close() {
      closed.countDown();
      super.close();
    }
  }
}
