package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.memory.ForwardingStorage;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real nodes with a disk, on real threads: what was told is there after all have died. */
@Timeout(300)
final class StoredNodesTest {
  private static final int ACCOUNTS = 24;
  private static final int CLIENTS = 4;
  private static final long EACH = 1_000;

  /** All nodes die so often; the property asks for more. */
  private static final int DEATHS = Integer.getInteger("canopy.deaths", 12);

  private static CompositeKey account(int i) {
    return TestNodes.key(i % 8, i / 8);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeBeginsWithWhatItHasStored(Durability durability) throws TimeoutException {
    InMemoryStorage disk = new InMemoryStorage();
    CompositeKey key = TestNodes.key(3, 1);
    for (int life = 0; life < 4; life++) {
      GmuNode node = TestNodes.alone(disk, durability);
      GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(10_000));
      assertThat(TestNodes.value(TestNodes.get(tx, key))).isEqualTo(life);
      Outcome outcome = tx.commit(TestNodes.write(key, life + 1), "");
      assertThat(outcome).isInstanceOf(Outcome.Committed.class);
      if (life % 2 == 0) {
        node.close();
        assertThat(disk.forced()).isEqualTo(disk.reopened().openedAt());
      } else {
        ((HostedNode) node).halt(new IllegalStateException("killed"));
      }
      disk = disk.reopened();
      assertThat(disk.recovered().users()).hasSize(life + 1).doesNotHaveDuplicates();
    }
  }

  /** Money is moved while all nodes die at once, again and again. */
  @ParameterizedTest
  @EnumSource
  void allThatWasToldIsThereAfterAllHaveDied(Durability durability) throws Exception {
    List<InMemoryStorage> disks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      disks.add(new InMemoryStorage());
    }
    AtomicLongArray told = new AtomicLongArray(CLIENTS);
    for (int round = 0; round < DEATHS; round++) {
      InProcessNetwork grid =
          InProcessNetwork.startStored(
              List.copyOf(disks),
              durability,
              2,
              TestNodes.SHARDS,
              NodeSettings.DEFAULT,
              TreeMapStore.FACTORY);
      if (round == 0) {
        open(grid);
      }
      check(grid, told);
      AtomicLong moves = new AtomicLong();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        SplittableRandom random = new SplittableRandom(round * 100L + client);
        clients.add(new Thread(() -> move(grid, client, random, told, moves)));
      }
      clients.forEach(Thread::start);
      while (moves.get() < 150) {
        Thread.onSpinWait();
      }
      grid.kill();
      for (Thread client : clients) {
        client.join();
      }
      disks.replaceAll(InMemoryStorage::reopened);
    }
  }

  private static void open(InProcessNetwork grid) {
    List<Footprint.Write> writes = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      writes.add(new Footprint.Write(account(i), TestNodes.number(EACH), null));
    }
    GmuTransaction tx = grid.node(0).begin(VectorClock.ZERO, TestNodes.in(20_000));
    Outcome outcome = tx.commit(new Footprint(List.of(), List.of(), writes), "");
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
  }

  /** A client moves money, and counts its moves in an entry of its own, until its node dies. */
  private static void move(
      InProcessNetwork grid,
      int client,
      SplittableRandom random,
      AtomicLongArray told,
      AtomicLong moves) {
    GmuNode node = grid.node(client % 3);
    CompositeKey own = count(client);
    try {
      while (true) {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(20_000));
        ReadAnswer.Got a = TestNodes.get(tx, account(from));
        ReadAnswer.Got b = TestNodes.get(tx, account(to));
        ReadAnswer.Got count = TestNodes.get(tx, own);
        long next = TestNodes.value(count) + 1;
        Footprint footprint =
            new Footprint(
                List.of(
                    new Footprint.KeyRead(account(from), a.seen()),
                    new Footprint.KeyRead(account(to), b.seen()),
                    new Footprint.KeyRead(own, count.seen())),
                List.of(),
                List.of(
                    new Footprint.Write(
                        account(from), TestNodes.number(TestNodes.value(a) - 1), null),
                    new Footprint.Write(
                        account(to), TestNodes.number(TestNodes.value(b) + 1), null),
                    new Footprint.Write(own, TestNodes.number(next), null)));
        if (tx.commit(footprint, "") instanceof Outcome.Committed) {
          told.set(client, next);
          moves.incrementAndGet();
        }
      }
    } catch (NodeClosedException | TimeoutException e) {
      // Its node has died.
    }
  }

  private static CompositeKey count(int client) {
    return TestNodes.key(client, 100);
  }

  private static void check(InProcessNetwork grid, AtomicLongArray told) throws TimeoutException {
    for (int node = 0; node < 3; node++) {
      GmuTransaction tx = grid.node(node).begin(VectorClock.ZERO, TestNodes.in(20_000));
      long sum = 0;
      for (int i = 0; i < ACCOUNTS; i++) {
        sum += TestNodes.value(TestNodes.get(tx, account(i)));
      }
      assertThat(sum).isEqualTo(ACCOUNTS * EACH);
      for (int client = 0; client < CLIENTS; client++) {
        assertThat(TestNodes.value(TestNodes.get(tx, count(client))))
            .isGreaterThanOrEqualTo(told.get(client));
      }
      tx.end();
    }
  }

  /** A disk that stands still, and one that fails. */
  private static final class BadStorage extends ForwardingStorage {
    final CountDownLatch writes = new CountDownLatch(1);
    final CountDownLatch goesOn = new CountDownLatch(1);

    /** The numbers of steps that were written as one. */
    final List<Integer> written = new CopyOnWriteArrayList<>();

    private final boolean fails;
    private volatile boolean bad;

    BadStorage(boolean fails) {
      super(new InMemoryStorage());
      this.fails = fails;
    }

    void turnBad() {
      bad = true;
    }

    @Override
    public void write(List<Batch> batches) {
      written.add(batches.size());
      if (bad && fails) {
        throw new StorageException(Reason.FAILED, "the disk is broken", null);
      }
      super.write(batches);
    }

    @Override
    public void force() {
      if (bad) {
        writes.countDown();
        try {
          goesOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      super.force();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDiskThatFailsEndsItsNode(Durability durability) {
    BadStorage disk = new BadStorage(true);
    GmuNode node = TestNodes.alone(disk, durability);
    disk.turnBad();
    GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(10_000));
    assertThat(tx.commit(TestNodes.write(TestNodes.key(1, 1), 1), ""))
        .isInstanceOf(Outcome.Unknown.class);
    assertThat(node.failure()).isInstanceOf(StorageException.class);
    assertThatThrownBy(() -> node.begin(VectorClock.ZERO, TestNodes.in(1_000)))
        .isInstanceOf(NodeClosedException.class)
        .hasMessageContaining("the disk is broken");
    node.close();
  }

  @Test
  void aCommitIsToldOnceItIsForced() throws Exception {
    BadStorage disk = new BadStorage(false);
    GmuNode node = TestNodes.alone(disk, Durability.FSYNC);
    disk.turnBad();
    CompositeKey key = TestNodes.key(1, 1);
    GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(10_000));
    List<Outcome> outcomes = new ArrayList<>();
    Thread client = new Thread(() -> outcomes.add(tx.commit(TestNodes.write(key, 7), "")));
    client.start();
    disk.writes.await();
    assertThat(outcomes).isEmpty();
    GmuTransaction reader = node.begin(VectorClock.ZERO, TestNodes.in(10_000));
    assertThat(TestNodes.value(TestNodes.get(reader, key))).isZero();
    reader.end();
    disk.goesOn.countDown();
    client.join();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Committed.class);
    node.close();
  }

  @Test
  void allThatWaitsIsForcedAsOne() throws Exception {
    BadStorage disk = new BadStorage(false);
    GmuNode node = TestNodes.alone(disk, Durability.FSYNC);
    disk.turnBad();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      GmuTransaction tx = node.begin(VectorClock.ZERO, TestNodes.in(10_000));
      CompositeKey key = TestNodes.key(i % 8, i);
      clients.add(new Thread(() -> tx.commit(TestNodes.write(key, 1), "")));
    }
    clients.forEach(Thread::start);
    for (Thread client : clients) {
      while (client.getState() != Thread.State.TIMED_WAITING
          && client.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    disk.goesOn.countDown();
    for (Thread client : clients) {
      client.join();
    }
    assertThat(disk.written).anyMatch(steps -> steps > 1);
    node.close();
    assertThat(disk.written.stream().mapToInt(Integer::intValue).sum()).isGreaterThan(20);
  }
}
