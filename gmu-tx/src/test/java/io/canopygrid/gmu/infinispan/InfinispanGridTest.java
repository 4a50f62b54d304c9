package io.canopygrid.gmu.infinispan;

import static io.canopygrid.gmu.infinispan.EntryCalls.in;
import static io.canopygrid.gmu.infinispan.EntryCalls.key;
import static io.canopygrid.gmu.infinispan.EntryCalls.read;
import static io.canopygrid.gmu.infinispan.EntryCalls.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.TestInfinispan;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.ExpelledException;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.NodeClosedException;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.topology.LocalTopologyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Grids of several nodes in this JVM, over TCP on the loopback. */
@Timeout(240)
final class InfinispanGridTest extends LoopbackGrid {
  private static final long PATIENCE_MILLIS = 30_000;

  @Test
  void whatOneNodeWritesAllNodesSee() throws TimeoutException {
    for (int i = 0; i < 3; i++) {
      join(settings(SHARDS, 2));
    }
    VectorClock token = VectorClock.ZERO;
    for (int i = 0; i < 60; i++) {
      token = token.join(write(nodes.get(i % 3), i, i));
    }
    for (int i = 0; i < 60; i++) {
      for (GmuNode node : nodes) {
        assertThat(read(node, token, i)).isEqualTo(i);
      }
    }
    Topology topology = nodes.get(0).topology();
    assertThat(topology.members()).hasSize(3);
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(topology.shard(shard).owners()).as("owners of shard %s", shard).hasSize(2);
    }
    assertThat(topology.shard(SHARDS).owners()).isEqualTo(topology.members());
    assertThat(nodes).allMatch(node -> node.topology().equals(topology));
  }

  @Test
  void aNodeThatJoinsGetsWhatIsThere() throws TimeoutException {
    join(settings(SHARDS, 2));
    VectorClock token = VectorClock.ZERO;
    for (int i = 0; i < 500; i++) {
      token = token.join(write(nodes.get(0), i, i));
    }
    join(settings(SHARDS, 2));
    join(settings(SHARDS, 2));
    for (int i = 0; i < 500; i++) {
      assertThat(read(nodes.get(i % 3), token, i)).isEqualTo(i);
    }
    nodes.get(0).close();
    for (int i = 0; i < 500; i++) {
      assertThat(read(nodes.get(1 + i % 2), token, i)).isEqualTo(i);
    }
  }

  @Test
  void aPortInUseIsSaidToBe() throws IOException {
    NetworkSettings network = network();
    try (ServerSocket taken =
        new ServerSocket(network.port(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.isBound()).isTrue();
      assertThatThrownBy(() ->
              InfinispanGrid.join(settings(SHARDS, 2), network, TreeMapStore.FACTORY, Fences.NONE))
          .isInstanceOfSatisfying(
              JoinException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PORT_IN_USE))
          .hasMessageContaining("port " + network.port() + " at 127.0.0.1 is in use");
    }
  }

  @Test
  void anotherNumberOfShardsOrOwnersIsRefused() throws TimeoutException {
    join(settings(SHARDS, 2));
    VectorClock token = write(nodes.get(0), 1, 1);
    assertThatThrownBy(() -> join(settings(32, 2)))
        .isInstanceOfSatisfying(
            JoinException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETTINGS_DIFFER))
        .hasMessageContaining(
            "grid 'test' has 16 shards and 2 owners, this node is set to 32 shards and 2 owners");
    assertThatThrownBy(() -> join(settings(SHARDS, 3)))
        .isInstanceOfSatisfying(
            JoinException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETTINGS_DIFFER));
    assertThat(read(nodes.get(0), token, 1)).isEqualTo(1);
    join(settings(SHARDS, 2));
    assertThat(read(nodes.get(1), token, 1)).isEqualTo(1);
  }

  /** Counters that all nodes add to while nodes join and leave; no addition is lost or doubled. */
  @Test
  void whileNodesComeAndGoNoCommitIsLost() throws Exception {
    join(settings(SHARDS, 2));
    join(settings(SHARDS, 2));
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Long>> adders = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      GmuNode node = nodes.get(i);
      int seed = i;
      adders.add(
          CompletableFuture.supplyAsync(
              () -> addUntil(stop, node, new Random(seed)), task -> new Thread(task).start()));
    }
    GmuNode third = join(settings(SHARDS, 2));
    join(settings(SHARDS, 2));
    third.close();
    stop.set(true);
    long added = 0;
    for (CompletableFuture<Long> adder : adders) {
      added += adder.get();
    }
    assertThat(added).isPositive();
    GmuNode last = nodes.get(3);
    GmuTransaction tx = last.begin(VectorClock.ZERO, in(20_000));
    long sum = 0;
    for (int i = 0; i < COUNTERS; i++) {
      sum += value((ReadAnswer.Got) tx.read(new ReadQuery.Get(key(i))));
    }
    tx.end();
    assertThat(sum).isEqualTo(added);
  }

  private static final int COUNTERS = 20;

  private static long addUntil(AtomicBoolean stop, GmuNode node, Random random) {
    long added = 0;
    VectorClock token = VectorClock.ZERO;
    while (!stop.get()) {
      CompositeKey key = key(random.nextInt(COUNTERS));
      GmuTransaction tx = node.begin(token, in(20_000));
      try {
        ReadAnswer.Got got = (ReadAnswer.Got) tx.read(new ReadQuery.Get(key));
        byte[] value = ByteBuffer.allocate(4).putInt(value(got) + 1).array();
        Footprint footprint =
            new Footprint(
                List.of(new Footprint.KeyRead(key, got.seen())),
                List.of(),
                List.of(new Footprint.Write(key, value, null)));
        Outcome outcome = tx.commit(footprint, "add");
        assertThat(outcome).isNotInstanceOf(Outcome.Unknown.class);
        if (outcome instanceof Outcome.Committed committed) {
          token = committed.clock();
          added++;
        }
      } catch (TimeoutException e) {
        throw new AssertionError(e);
      } finally {
        tx.end();
      }
    }
    return added;
  }

  private static int value(ReadAnswer.Got got) {
    byte[] value = got.value();
    return value == null ? 0 : ByteBuffer.wrap(value).getInt();
  }

  @Test
  void aGridLivesInACacheManagerThatSomebodyElseRuns() throws Exception {
    join(settings(SHARDS, 2));
    VectorClock token = write(nodes.get(0), 1, 1);
    GridSettings other = new GridSettings("other", 4, 1, 30_000, 1 << 26, NodeSettings.DEFAULT);
    try (EmbeddedCacheManager caches = TestInfinispan.start("test", network(), PATIENCE_MILLIS)) {
      awaitThat(() -> caches.getMembers().size() == 2);
      GmuNode mine =
          InfinispanGrid.on(caches, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE);
      assertThat(read(mine, token, 1)).isEqualTo(1);
      assertThatThrownBy(() ->
              InfinispanGrid.on(caches, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE))
          .isInstanceOf(IllegalStateException.class);
      GmuNode second = InfinispanGrid.on(caches, other, TreeMapStore.FACTORY, Fences.NONE);
      assertThat(read(second, VectorClock.ZERO, 1)).isEqualTo(-1);
      second.close();
      mine.close();
      assertThat(caches.isRunning("canopy.test")).isFalse();
      GmuNode again =
          InfinispanGrid.on(caches, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE);
      assertThat(read(again, token, 1)).isEqualTo(1);
      again.close();
    }
  }

  /**
   * The others have gone on without a node, and the node missed the topology without it. The first
   * topology it sees is the one in which it joins again, and Infinispan's steps on the way tell it.
   * The node must not go on with its old data.
   */
  @Test
  void whoWasLeftOutMeanwhileEndsEvenIfItOnlySeesThatItIsBack() throws Exception {
    try (EmbeddedCacheManager first = TestInfinispan.start("test", network(), PATIENCE_MILLIS);
        EmbeddedCacheManager second = TestInfinispan.start("test", network(), PATIENCE_MILLIS)) {
      awaitThat(() -> second.getMembers().size() == 2);
      GmuNode stays =
          InfinispanGrid.on(first, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE);
      nodes.add(stays);
      ConsistentHash without =
          GlobalComponentRegistry.of(first)
              .getComponent(LocalTopologyManager.class)
              .getCacheTopology("canopy.test")
              .getCurrentCH();
      GmuNode leftOut =
          InfinispanGrid.on(second, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE);
      nodes.add(leftOut);
      VectorClock token = write(leftOut, 1, 1);
      TopologyInstaller topologies =
          GlobalComponentRegistry.of(second).getComponent(GridHosts.class).ofCache("canopy.test");

      assertThat(topologies).isNotNull();
      topologies.onTopology(1, without, without);
      assertThatThrownBy(() -> leftOut.begin(token, in(20_000)))
          .isInstanceOf(NodeClosedException.class);
      assertThat(read(stays, token, 1)).isEqualTo(1);
    }
  }

  /** No node installs the last topology of a join, in which only the id is new, unless one has. */
  @Test
  void aTopologyThatChangesNothingIsInstalledWhereAnotherNodeHas() throws Exception {
    try (EmbeddedCacheManager first = TestInfinispan.start("test", network(), PATIENCE_MILLIS);
        EmbeddedCacheManager second = TestInfinispan.start("test", network(), PATIENCE_MILLIS)) {
      awaitThat(() -> second.getMembers().size() == 2);
      List<EmbeddedCacheManager> both = List.of(first, second);
      for (EmbeddedCacheManager caches : both) {
        nodes.add(
            InfinispanGrid.on(caches, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE));
      }
      VectorClock token = write(nodes.get(0), 1, 1);
      Topology installed = nodes.get(0).topology();
      for (EmbeddedCacheManager caches : both) {
        awaitThat(() -> infinispanTopology(caches) == installed.id() + 1);
      }
      assertThat(nodes).allMatch(node -> node.topology().equals(installed));

      TopologyInstaller topologies =
          GlobalComponentRegistry.of(second).getComponent(GridHosts.class).ofCache("canopy.test");
      assertThat(topologies).isNotNull();
      topologies.ahead(installed.id() + 1);
      awaitThat(() -> nodes.stream().allMatch(node -> node.topology().id() == installed.id() + 1));
      for (GmuNode node : nodes) {
        assertThat(read(node, token, 1)).isEqualTo(1);
      }
      write(nodes.get(1), 1, 2);
      nodes.get(1).close();
      assertThat(read(nodes.get(0), token, 1)).isEqualTo(2);
      nodes.get(0).close();
    }
  }

  /** The one shard keeps its primary, so each topology of the rebalance but the first is alike. */
  @Test
  void aLearnerIsAnOwnerInTheEndWhereNoPrimaryChanges() throws Exception {
    GridSettings oneShard = settings(1, 2);
    for (int i = 0; i < 3; i++) {
      join(oneShard);
    }
    GmuNode oldest = nodes.get(0);
    awaitThat(() -> nodes.stream().noneMatch(node -> DeferredInstall.hasLearners(node.topology())));
    List<NodeId> owners = oldest.topology().shard(0).owners();
    assertThat(owners).hasSize(2);
    GmuNode second =
        nodes.stream().filter(node -> node.self().equals(owners.get(1))).findAny().orElseThrow();
    second.close();
    nodes.remove(second);

    awaitThat(() -> nodes.stream().allMatch(node -> node.topology().shard(0).owners().size() == 2));
    assertThat(nodes)
        .allSatisfy(node -> {
          assertThat(node.topology().shard(0).owners()).startsWith(owners.get(0));
          assertThat(DeferredInstall.hasLearners(node.topology())).isFalse();
        });
  }

  /** Infinispan goes on with the topology it is at; a node that gave it up would wait for ever. */
  @Test
  void whoLeavesTheNetworkAndHadNoPartInTheGridHoldsUpNoJoin() throws Exception {
    GridSettings slowly =
        new GridSettings("test", SHARDS, 2, 20_000, 1 << 20, NodeSettings.DEFAULT);
    GmuNode founder = InfinispanGrid.join(slowly, network(), TreeMapStore.FACTORY, Fences.NONE);
    nodes.add(founder);
    VectorClock token = VectorClock.ZERO;
    for (int i = 0; i < 40; i++) { // 8 MB, of which the learner gets 1 in a second
      token = token.join(write(founder, i, ByteBuffer.allocate(200_000).putInt(i).array()));
    }
    try (EmbeddedCacheManager guest = TestInfinispan.start("test", network(), PATIENCE_MILLIS)) {
      awaitThat(() -> guest.getMembers().size() == 2);
      CompletableFuture<GmuNode> joining =
          CompletableFuture.supplyAsync(
              () -> join(slowly), task -> new Thread(task, "joins").start());
      awaitThat(() -> founder.topology().members().size() == 2);
      guest.stop();
      assertThat(joining).isNotDone();
      assertThat(read(joining.get(), token, 7)).isEqualTo(7);
    }
  }

  /** Infinispan would wait for the shards until the join timeout, and keep its place meanwhile. */
  @Test
  void whoIsExpelledBeforeItHasItsShardsSaysSoAtOnce() throws Exception {
    GridSettings slowly =
        new GridSettings("test", SHARDS, 2, 60_000, 1 << 20, NodeSettings.DEFAULT);
    GmuNode founder = InfinispanGrid.join(slowly, network(), TreeMapStore.FACTORY, Fences.NONE);
    nodes.add(founder);
    for (int i = 0; i < 100; i++) { // 20 MB, of which the learner gets 1 in a second
      write(founder, i, ByteBuffer.allocate(200_000).putInt(i).array());
    }
    NetworkSettings network = network();
    EmbeddedCacheManager caches = TestInfinispan.start("test", network, PATIENCE_MILLIS);
    awaitThat(() -> caches.getMembers().size() == 2);
    AtomicBoolean rejoins = new AtomicBoolean();
    GridHost host =
        new GridHost(
            slowly, caches, true, () -> rejoins.set(true), TreeMapStore.FACTORY, Fences.NONE);
    CompletableFuture<HostedNode> joining =
        CompletableFuture.supplyAsync(
            () -> host.join(true, () -> null), task -> new Thread(task, "joins").start());
    awaitThat(() -> founder.topology().members().size() == 2);
    long began = System.nanoTime();
    host.failed(new ExpelledException("the other nodes have gone on", true));

    assertThatThrownBy(joining::get)
        .hasRootCauseMessage("not a member of grid 'test': the other nodes have gone on")
        .cause()
        .isInstanceOfSatisfying(
            JoinException.class, e -> assertThat(e.reason()).isEqualTo(Reason.EXPELLED));
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(10));
    assertThat(rejoins).as("the caller tries again").isFalse();
    FreePort.awaitFree(network.port());
    awaitThat(() -> founder.topology().members().size() == 1);
  }

  private static long infinispanTopology(EmbeddedCacheManager caches) {
    return GlobalComponentRegistry.of(caches)
        .getComponent(LocalTopologyManager.class)
        .getCacheTopology("canopy.test")
        .getTopologyId();
  }

  private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
    long deadline = in(60_000);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  /** The node is like one that was expelled, which waits for the others as long as it takes. */
  @Test
  void whoMayNotFoundAGridIsLeftAloneWhereThereIsNone() throws Exception {
    try (EmbeddedCacheManager caches = TestInfinispan.start("test", network(), PATIENCE_MILLIS)) {
      GridHost host =
          new GridHost(settings(SHARDS, 2), caches, false, null, TreeMapStore.FACTORY, Fences.NONE);

      assertThatThrownBy(() -> host.join(false, () -> null))
          .isInstanceOfSatisfying(
              JoinException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LEFT_ALONE))
          .hasMessage("no other node of grid 'test' is left to join");
      assertThat(caches.isRunning("canopy.test")).isFalse();

      GmuNode founder =
          InfinispanGrid.on(caches, settings(SHARDS, 2), TreeMapStore.FACTORY, Fences.NONE);
      assertThat(read(founder, write(founder, 1, 1), 1)).isEqualTo(1);
      founder.close();
    }
  }
}
