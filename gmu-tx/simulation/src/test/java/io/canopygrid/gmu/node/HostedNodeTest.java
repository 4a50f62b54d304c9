package io.canopygrid.gmu.node;

import static io.canopygrid.gmu.node.TestNodes.SHARDS;
import static io.canopygrid.gmu.node.TestNodes.firstOf;
import static io.canopygrid.gmu.node.TestNodes.get;
import static io.canopygrid.gmu.node.TestNodes.in;
import static io.canopygrid.gmu.node.TestNodes.kclOf;
import static io.canopygrid.gmu.node.TestNodes.key;
import static io.canopygrid.gmu.node.TestNodes.number;
import static io.canopygrid.gmu.node.TestNodes.standalone;
import static io.canopygrid.gmu.node.TestNodes.threeNodes;
import static io.canopygrid.gmu.node.TestNodes.value;
import static io.canopygrid.gmu.node.TestNodes.write;
import static io.canopygrid.gmu.node.TestNodes.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HostedNodeTest {
  private static final NodeId OTHER = new NodeId(2);

  @Test
  void aGridOfOneReadsWhatItWroteAndAsksNobody() throws TimeoutException {
    try (GmuNode node = standalone()) {
      GmuTransaction writer = node.begin(VectorClock.ZERO, in(10_000));
      Outcome outcome = writer.commit(write(key(3, 1), 42), "");
      VectorClock token = ((Outcome.Committed) outcome).clock();

      GmuTransaction reader = node.begin(token, in(10_000));
      assertThat(value(get(reader, key(3, 1)))).isEqualTo(42);
      assertThat(reader.commit(new Footprint(List.of(), List.of(), List.of()), ""))
          .isEqualTo(new Outcome.Committed(reader.clock()));
      assertThat(node.entries(kclOf(3))).isEqualTo(1);
      assertThat(node.counters()).isEqualTo(new GmuCounters(0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0));
    }
  }

  /** Reads wait for no step of an update, however long the thread with that is stopped. */
  @Test
  void aReadOfWhatIsAtHandDoesNotWaitForTheLock() throws Exception {
    CountDownLatch inAStep = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (GmuNode node = standalone()) {
      try {
        GmuTransaction first = node.begin(VectorClock.ZERO, in(10_000));
        assertThat(first.commit(write(key(3, 1), 42), "")).isInstanceOf(Outcome.Committed.class);
        GmuTransaction writer = node.begin(VectorClock.ZERO, in(30_000));
        node.tellTraffic(new StopsAtWrites(inAStep, goOn));
        CompletableFuture<Outcome> outcome =
            onItsOwnThread(() -> writer.commit(write(key(4, 1), 43), ""));
        inAStep.await();

        CompletableFuture<Long> read = onItsOwnThread(() -> readOnce(node, key(3, 1)));
        assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo(42);
        assertThat(outcome).isNotDone();

        goOn.countDown();
        assertThat(outcome.get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Committed.class);
      } finally {
        // Closing the node takes the lock.
        goOn.countDown();
      }
    }
  }

  private static <T> CompletableFuture<T> onItsOwnThread(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
  }

  private static long readOnce(GmuNode node, CompositeKey key) {
    GmuTransaction reader = node.begin(VectorClock.ZERO, in(10_000));
    try {
      return value(get(reader, key));
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      reader.end();
    }
  }

  /** Stops the thread that applies a commit, which has the lock. */
  private record StopsAtWrites(CountDownLatch inAStep, CountDownLatch goOn) implements Traffic {
    @Override
    public void read(CompositeKey key) {}

    @Override
    public void scanned(ReadQuery.Scan query, int entries) {}

    @Override
    public void counted(ReadQuery.Count query, long entries) {}

    @Override
    public void conflicted(CompositeKey key) {}

    @Override
    public void wrote(CompositeKey key) {
      inAStep.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A thread that was stopped for long between two steps must not stop the node. */
  @Test
  void aCallForATransactionThatWasEndedMeanwhileIsRefused()
      throws TimeoutException, InterruptedException {
    try (HostedNode node = (HostedNode) standalone()) {
      CompositeKey key = key(3, 1);
      BlockingTransaction begun = (BlockingTransaction) node.begin(VectorClock.ZERO, in(10_000));
      long first = begun.id;
      TransactionSteps steps = begun.node;
      steps.end(first);

      List<ReadQuery> queries = List.of(new ReadQuery.Get(key));
      try (TransactionSteps.Asked asked =
          steps.ask(first, queries, true, VectorClock.ZERO, ShardSet.EMPTY, in(10_000))) {
        assertThat(asked.await(in(10_000)))
            .singleElement()
            .extracting(LocalRead::answer)
            .isEqualTo(new ReadAnswer.Unavailable(3));
      }
      assertThat(steps.commit(first, VectorClock.ZERO, write(key, 7), "", in(10_000)))
          .isInstanceOf(Outcome.Aborted.class);
      assertThat(value(get(node.begin(VectorClock.ZERO, in(10_000)), key))).isZero();
    }
  }

  /** A node that joins again holds on to its former self until it has its copies anew. */
  @Test
  void anEndedNodeHasNoCopiesInMemory() throws TimeoutException {
    HostedNode node = (HostedNode) standalone();
    GmuTransaction writer = node.begin(VectorClock.ZERO, in(10_000));
    assertThat(writer.commit(write(key(3, 1), 42), "")).isInstanceOf(Outcome.Committed.class);
    assertThat(node.entries(kclOf(3))).isEqualTo(1);

    node.halt(new IllegalStateException("for the test"));
    assertThat(node.entries(kclOf(3))).isZero();
    node.close();
  }

  @Test
  void closingEndsTheOneThread() throws InterruptedException {
    List<Thread> before = threads();
    GmuNode node = standalone();
    List<Thread> own = threads();
    own.removeAll(before);
    assertThat(own).hasSize(1).allMatch(Thread::isDaemon);
    node.close();
    node.close();
    own.get(0).join(TimeUnit.SECONDS.toMillis(10));
    assertThat(own.get(0).isAlive()).isFalse();
    assertThatThrownBy(() -> node.begin(VectorClock.ZERO, in(10)))
        .isInstanceOf(NodeClosedException.class);
  }

  private static List<Thread> threads() {
    List<Thread> timers = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("canopy-")) {
        timers.add(thread);
      }
    }
    return timers;
  }

  /** Three nodes that say nothing again within the time of a test, so that requests are counted. */
  private static InProcessNetwork patientNodes() {
    NodeSettings patient =
        new NodeSettings(
            ProtocolConfig.DEFAULT.withResendNanos(TimeUnit.MINUTES.toNanos(1)), 100, 1_000);
    return InProcessNetwork.start(3, 2, SHARDS, patient, TreeMapStore.FACTORY, Fences.NONE);
  }

  @Test
  void aReadAtAnotherNodeIsOneRequestAndAtThisNodeNone() throws TimeoutException {
    try (InProcessNetwork network = patientNodes()) {
      HostedNode node = network.node(0);
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(10_000));
      get(tx, key(0, 1));
      get(tx, key(3, 1));
      assertThat(node.counters().remoteRequests()).isZero();
      get(tx, key(1, 1));
      assertThat(node.counters().remoteRequests()).isEqualTo(1);
      tx.end();
    }
  }

  @Test
  void aBlindWriteToOneShardElsewhereIsOneRequest() {
    try (InProcessNetwork network = patientNodes()) {
      HostedNode node = network.node(0);
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(10_000));
      assertThat(tx.commit(write(key(1, 1), 5), "")).isInstanceOf(Outcome.Committed.class);
      assertThat(node.counters().remoteRequests()).isEqualTo(1);
      assertThat(node.counters().onePhaseCommits()).isEqualTo(1);
      assertThat(node.counters().replication()).isZero();
      assertThat(network.node(1).counters().replication()).isEqualTo(1);
    }
  }

  /** Many threads at all nodes add one to counters in every shard; no addition is lost. */
  @Test
  void concurrentAdditionsAreAllKept() throws Exception {
    int threads = 6;
    int perThread = 100;
    try (InProcessNetwork network = threeNodes()) {
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int seed = i;
        all.add(
            CompletableFuture.supplyAsync(
                () -> addMany(network.node(seed % 3), new Random(seed), perThread),
                task -> new Thread(task).start()));
      }
      VectorClock token = VectorClock.ZERO;
      for (CompletableFuture<Integer> one : all) {
        assertThat(one.get()).isEqualTo(perThread);
      }
      for (int i = 0; i < 3; i++) {
        long sum = 0;
        GmuTransaction reader = network.node(i).begin(token, in(10_000));
        for (int shard = 0; shard < SHARDS.shards(); shard++) {
          sum += value(get(reader, key(shard, 0)));
        }
        assertThat(sum).isEqualTo((long) threads * perThread);
        reader.end();
      }
    }
  }

  private static int addMany(HostedNode node, Random random, int count) {
    int done = 0;
    VectorClock token = VectorClock.ZERO;
    while (done < count) {
      CompositeKey key = key(random.nextInt(SHARDS.shards()), 0);
      GmuTransaction tx = node.begin(token, in(30_000));
      try {
        ReadAnswer.Got got = get(tx, key);
        Footprint.Write write = new Footprint.Write(key, number(value(got) + 1), null);
        Footprint footprint =
            new Footprint(
                List.of(new Footprint.KeyRead(key, got.seen())), List.of(), List.of(write));
        if (tx.commit(footprint, "add") instanceof Outcome.Committed committed) {
          token = committed.clock();
          done++;
        }
      } catch (TimeoutException e) {
        throw new AssertionError(e);
      } finally {
        tx.end();
      }
    }
    return done;
  }

  @Test
  void withoutAnAnswerAReadTimesOutAndACommitIsGivenUp() {
    try (HostedNode node = firstOf(2, (to, message) -> {}, NodeHost.NONE)) {
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(20));
      assertThatThrownBy(() -> tx.read(new ReadQuery.Get(key(1, 1))))
          .isInstanceOf(TimeoutException.class);
      // Nobody can have decided it: it is aborted, and that is certain.
      Outcome.AbortReason inTime = Outcome.AbortReason.LOCK_TIMEOUT;
      assertThat(tx.commit(writes(key(0, 1), key(1, 1)), ""))
          .isEqualTo(new Outcome.Aborted(inTime, null, null, null, null));
    }
  }

  @Test
  void aCommitThatTheOtherNodeDecidesIsUnknownWithoutItsAnswer() {
    try (HostedNode node = firstOf(2, (to, message) -> {}, NodeHost.NONE)) {
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(20));
      assertThat(tx.commit(write(key(1, 1), 5), "")).isEqualTo(new Outcome.Unknown());
    }
  }

  /** A node that closes waits for those that run, and takes in no other. */
  @Test
  void whoIsRefusedAsTheNodeClosesDoesNotHoldItUp() throws Exception {
    NodeSettings patient = new NodeSettings(ProtocolConfig.DEFAULT, 10, 600_000);
    GmuNode node = StandaloneNode.start(SHARDS, patient, TreeMapStore.FACTORY, Fences.NONE);
    GmuTransaction open = node.begin(VectorClock.ZERO, in(30_000));
    CompletableFuture<Boolean> closed =
        onItsOwnThread(() -> {
          node.close();
          return true;
        });
    assertThatThrownBy(
            () -> {
              while (true) {
                node.begin(VectorClock.ZERO, in(30_000)).end();
              }
            })
        .isInstanceOf(NodeClosedException.class);
    assertThat(closed).isNotDone();

    open.end();
    assertThat(closed.get(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Else nothing that is older could be dropped any more, on any node. */
  @Test
  void aCommitThatIsUnknownDoesNotHoldTheHorizon() throws Exception {
    VectorClock high = VectorClock.ZERO.with(1, 1L << 40);
    CountDownLatch prepared = new CountDownLatch(1);
    CountDownLatch risen = new CountDownLatch(1);
    Queue<Message> decided = new ConcurrentLinkedQueue<>();
    Transport transport =
        (to, message) -> {
          if (message instanceof Message.Prepare) {
            prepared.countDown();
          } else if (message instanceof Message.Decide told) {
            decided.add(new Message.Ack(told.decision().tid(), told.shard(), 1, true));
          } else if (message instanceof Message.Horizon told && told.clock().equals(high)) {
            risen.countDown();
          }
        };
    try (HostedNode node = firstOf(2, transport, NodeHost.NONE)) {
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(30_000));
      CompletableFuture<Outcome> outcome =
          onItsOwnThread(() -> tx.commit(writes(key(0, 1), key(1, 1)), ""));
      prepared.await();
      node.setAvailable(false);
      assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Unknown());
      node.setAvailable(true);

      while (!risen.await(10, TimeUnit.MILLISECONDS)) {
        for (Message ack = decided.poll(); ack != null; ack = decided.poll()) {
          node.deliver(OTHER, ack);
        }
        node.deliver(OTHER, new Message.HorizonReport(1, high, high));
      }
    }
  }

  @Test
  void anInterruptEndsAReadAndLeavesTheFlag() {
    try (HostedNode node = firstOf(2, (to, message) -> {}, NodeHost.NONE)) {
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(20_000));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> tx.read(new ReadQuery.Get(key(1, 1))))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      assertThat(tx.commit(write(key(1, 1), 5), "")).isEqualTo(new Outcome.Unknown());
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void whoWaitsHearsThatTheNodeHasStopped() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    HostedNode node =
        firstOf(
            2,
            (to, message) -> {
              if (message instanceof Message.Read) {
                asked.countDown();
              }
            },
            NodeHost.NONE);
    GmuTransaction tx = node.begin(VectorClock.ZERO, in(30_000));
    CompletableFuture<ReadAnswer> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return tx.read(new ReadQuery.Get(key(1, 1)));
              } catch (TimeoutException e) {
                throw new AssertionError(e);
              }
            },
            task -> new Thread(task).start());
    asked.await();
    node.halt(new IllegalStateException("expelled"));
    assertThatThrownBy(read::get)
        .hasCauseInstanceOf(NodeClosedException.class)
        .hasMessageContaining("expelled");
    node.close();
  }

  @Test
  void aNodeThatFindsItselfWrongStopsAndTellsItsHost() {
    AtomicInteger failures = new AtomicInteger();
    AtomicInteger leaves = new AtomicInteger();
    NodeHost host =
        new NodeHost() {
          @Override
          public void failed(Throwable cause) {
            failures.incrementAndGet();
          }

          @Override
          public void leave() {
            leaves.incrementAndGet();
          }
        };
    HostedNode node = firstOf(2, (to, message) -> {}, host);
    // Shard 1 is not here, and node 2 has the same topology: it cannot ask this.
    Message.Read wrong =
        new Message.Read(
            1, 1, 1, new ReadQuery.Get(key(1, 1)), VectorClock.ZERO, ShardSet.EMPTY, true);
    node.deliver(OTHER, wrong);
    node.deliver(OTHER, wrong);
    assertThat(failures).hasValue(1);
    assertThatThrownBy(() -> node.begin(VectorClock.ZERO, in(10)))
        .isInstanceOf(NodeClosedException.class);
    node.close();
    assertThat(leaves).hasValue(1);
  }

  @Test
  void inAPartitionWithoutTheShardsEverythingIsRefused() throws TimeoutException {
    try (HostedNode node = firstOf(2, (to, message) -> {}, NodeHost.NONE)) {
      node.setAvailable(false);
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(20_000));
      assertThat(tx.read(new ReadQuery.Get(key(0, 1)))).isEqualTo(new ReadAnswer.Unavailable(0));
      assertThat(tx.commit(write(key(0, 1), 5), ""))
          .isInstanceOfSatisfying(
              Outcome.Aborted.class,
              aborted ->
                  assertThat(aborted.reason()).isEqualTo(Outcome.AbortReason.SHARD_UNAVAILABLE));
    }
  }
}
