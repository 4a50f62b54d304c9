package io.canopygrid.gmu.node;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.memory.ForwardingStorage;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node serves before it has read its disk (protocol.md, Closed copies). */
@Timeout(60)
final class ClosedCopiesTest {
  private static final int KEYS = 700;

  /** Reads a copy when it may. */
  private static final class SlowStorage extends ForwardingStorage {
    final Semaphore reads = new Semaphore(0);
    final List<Integer> read = new CopyOnWriteArrayList<>();

    SlowStorage(Storage storage) {
      super(storage);
    }

    @Override
    public Recovered.Copy open(int shard, long valueBytesMax) {
      reads.acquireUninterruptibly();
      read.add(shard);
      return super.open(shard, valueBytesMax);
    }
  }

  private static GmuNode start(Storage disk) {
    return TestNodes.alone(disk, Durability.ASYNC);
  }

  private static CompositeKey key(int shard, int i) {
    return CompositeKey.of(TestNodes.kclOf(shard), TestNodes.number(i));
  }

  private static void write(GmuNode node, int shard, int from, int to, long value) {
    List<Footprint.Write> writes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      writes.add(new Footprint.Write(key(shard, i), TestNodes.number(value), null));
    }
    GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(20_000));
    assertThat(tx.commit(new Footprint(List.of(), List.of(), writes), ""))
        .isInstanceOf(Outcome.Committed.class);
  }

  private static CompletableFuture<Long> read(GmuNode node, CompositeKey key) {
    return CompletableFuture.supplyAsync(() -> {
      GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(40_000));
      try {
        return TestNodes.value(TestNodes.get(tx, key));
      } catch (TimeoutException e) {
        throw new AssertionError(e);
      } finally {
        tx.end();
      }
    });
  }

  /** More keys than are told at a time, in each of the shards. */
  private static InMemoryStorage written() {
    InMemoryStorage disk = new InMemoryStorage();
    GmuNode node = start(disk);
    for (int shard = 0; shard < TestNodes.SHARDS.shards(); shard++) {
      write(node, shard, 0, KEYS, shard);
    }
    node.close();
    return disk.reopened();
  }

  @Test
  void whatSomebodyWaitsForIsReadFirst() throws Exception {
    SlowStorage disk = new SlowStorage(written());
    GmuNode node = start(disk);
    int shards = TestNodes.SHARDS.shards();
    assertThat(node.entryMemory().closedCopies()).isEqualTo(shards);
    CompletableFuture<Long> late = read(node, key(7, KEYS - 1));
    CompletableFuture<Long> first = read(node, key(0, 0));
    // The first copy is asked for by itself, and the seventh since a read waits for it.
    Awaitility.await().until(() -> disk.reads.getQueueLength() == 2);
    assertThat(late).isNotDone();
    assertThat(first).isNotDone();
    disk.reads.release(2);
    assertThat(late.get(20, SECONDS)).isEqualTo(7);
    assertThat(first.get(20, SECONDS)).isEqualTo(0);
    assertThat(disk.read).containsExactlyInAnyOrder(0, 7);
    disk.reads.release(shards);
    Awaitility.await().until(() -> node.entryMemory().closedCopies() == 0);
    assertThat(disk.read).hasSize(shards).doesNotHaveDuplicates();
    for (int shard = 0; shard < shards; shard++) {
      assertThat(read(node, key(shard, KEYS / 2)).get(20, SECONDS)).isEqualTo(shard);
    }
    node.close();
  }

  @Test
  void aWriteWaitsForItsCopyAndIsThereAfterTheNextStart() throws Exception {
    SlowStorage disk = new SlowStorage(written());
    GmuNode node = start(disk);
    CompletableFuture<Void> writes =
        CompletableFuture.runAsync(() -> write(node, 5, KEYS - 1, KEYS + 1, 42));
    Awaitility.await().until(() -> disk.reads.getQueueLength() == 2);
    assertThat(writes).isNotDone();
    disk.reads.release(2);
    writes.get(20, SECONDS);
    assertThat(node.entryMemory().closedCopies()).isPositive();
    node.close(); // before all copies were read
    disk.reads.release(100);
  }

  /** The horizon passes old versions while they are on the disk only. */
  @Test
  void whatNobodyCanReadIsDroppedWhenACopyOpens() throws Exception {
    InMemoryStorage before = new InMemoryStorage();
    GmuNode first =
        TestNodes.alone(before, Durability.FSYNC); // in async the horizon waits for the copies
    GmuTransaction reader = first.begin(VectorClock.ZERO, TestNodes.in(40_000));
    assertThat(TestNodes.get(reader, key(3, 0))).isNotNull();
    write(first, 3, 0, KEYS, 1);
    write(first, 3, 0, KEYS, 2);
    assertThat(first.heldVersions().versions()).isEqualTo(KEYS);
    ((HostedNode) first).halt(new IllegalStateException("killed"));
    SlowStorage disk = new SlowStorage(before.reopened());
    GmuNode node = TestNodes.alone(disk, Durability.FSYNC);
    TimeUnit.SECONDS.sleep(1); // some ticks, in which the horizon rises
    disk.reads.release(100);
    Awaitility.await().until(() -> node.entryMemory().closedCopies() == 0);
    assertThat(read(node, key(3, KEYS - 1)).get(20, SECONDS)).isEqualTo(2);
    Awaitility.await().untilAsserted(() -> assertThat(node.heldVersions().versions()).isZero());
    assertThat(node.heldVersions().logged()).isZero();
    node.close();
  }

  @Test
  void aNodeThatEndsBeforeItHasReadItsDiskLosesNothing() throws Exception {
    InMemoryStorage before = written();
    SlowStorage slow = new SlowStorage(before);
    GmuNode node = start(slow);
    CompletableFuture<Void> writes =
        CompletableFuture.runAsync(() -> write(node, 5, KEYS - 1, KEYS + 1, 42));
    slow.reads.release(2);
    writes.get(20, SECONDS);
    ((HostedNode) node).halt(new IllegalStateException("killed"));
    slow.reads.release(100);
    GmuNode next = start(before.reopened());
    for (int shard = 0; shard < TestNodes.SHARDS.shards(); shard++) {
      assertThat(read(next, key(shard, 0)).get(20, SECONDS)).isEqualTo(shard);
    }
    assertThat(read(next, key(5, KEYS - 1)).get(20, SECONDS)).isEqualTo(42);
    assertThat(read(next, key(5, KEYS)).get(20, SECONDS)).isEqualTo(42);
    next.close();
  }
}
