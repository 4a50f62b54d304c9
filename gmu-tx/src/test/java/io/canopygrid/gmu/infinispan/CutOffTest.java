package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.StackFile;
import io.canopygrid.gmu.infinispan.bootstrap.TestInfinispan;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.NodeClosedException;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that is cut off from the two others, and comes back. */
@Timeout(120)
final class CutOffTest {
  private static final int SHARDS = 16;
  private static final long FAILURE_MILLIS = 1_000;

  /**
   * The network does not look for nodes that it has lost, which would end a node's deafness too.
   */
  private static final String APART = "apart";

  @TempDir private Path directory;

  /** The rate at which a node hands on its shards: low, so that joins take their time. */
  private static final long STATE_BYTES = 1 << 20;

  private final List<GmuNode> nodes = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private Path stack = Path.of("stack.xml");

  @BeforeEach
  void start(TestInfo test) throws IOException {
    boolean merges = !test.getTags().contains(APART);
    stack = StackFile.with(DeafProtocol.class, DeafProtocol.Exchanges.class, merges, directory);
    for (int i = 0; i < 4; i++) {
      ports.add(FreePort.pick());
    }
    for (int port : ports.subList(0, 3)) {
      nodes.add(join(port));
    }
  }

  private GmuNode join(int port) {
    return InfinispanGrid.join(settings(), network(port), TreeMapStore.FACTORY, Fences.NONE);
  }

  private static GridSettings settings() {
    return new GridSettings("cut-off", SHARDS, 2, 40_000, STATE_BYTES, NodeSettings.DEFAULT);
  }

  private NetworkSettings network(int port) {
    List<String> hosts = ports.stream().map(any -> "127.0.0.1:" + any).toList();
    return new NetworkSettings("127.0.0.1", port, hosts, FAILURE_MILLIS, Optional.of(stack));
  }

  @AfterEach
  void stop() {
    DeafProtocol.CUT_OFF.clear();
    DeafProtocol.DEAF.clear();
    DeafProtocol.HEARS_WHEN_ALONE.clear();
    nodes.forEach(GmuNode::close);
  }

  @Test
  void whatItCannotReplicateItDoesNotCommitAndItComesBackByItself()
      throws TimeoutException, InterruptedException {
    GmuNode cutOff = nodes.get(2);
    NodeId before = cutOff.self();
    CompositeKey key = keyOf(cutOff);
    assertThat(write(cutOff, key, 1, 20_000)).isInstanceOf(Outcome.Committed.class);

    DeafProtocol.CUT_OFF.add(ports.get(2));
    // Waits for its backup until this node finds out that it is alone.
    assertThat(write(cutOff, key, 2, 60_000)).isNotInstanceOf(Outcome.Committed.class);
    await(() -> isRefused(cutOff, key));
    await(() -> nodes.get(0).topology().members().size() == 2 && reads(nodes.get(0), key, 1));
    assertThat(write(nodes.get(0), key, 3, 20_000)).isInstanceOf(Outcome.Committed.class);
    assertThat(isRefused(cutOff, key)).isTrue();
    assertThat(cutOff.isReady()).isFalse();

    DeafProtocol.CUT_OFF.clear();
    await(() -> nodes.stream().allMatch(node -> node.topology().members().size() == 3));
    await(() -> nodes.stream().allMatch(node -> reads(node, key, 3)));
    assertThat(cutOff.self()).isNotEqualTo(before);
    await(() -> nodes.stream().allMatch(GmuNode::isReady));
  }

  /**
   * Two nodes go on without the third, then lose each other as well. Infinispan goes on from the
   * state of the node that has counted furthest. That is the third node, which has missed the
   * commits of the two; it meets one of them first.
   */
  @Test
  void whatTwoHaveCommittedIsThereAfterAllThreeHaveLostEachOther() throws Exception {
    nodes.remove(2).close();
    await(() -> nodes.stream().allMatch(node -> node.topology().members().size() == 2));
    try (EmbeddedCacheManager caches =
        TestInfinispan.start("cut-off", network(ports.get(2)), 30_000)) {
      GridHost host =
          new GridHost(settings(), caches, true, null, TreeMapStore.FACTORY, Fences.NONE);
      GmuNode cutOff = host.join(true, () -> null);
      CompositeKey key = keyOf(cutOff);
      assertThat(write(cutOff, key, 1, 20_000)).isInstanceOf(Outcome.Committed.class);
      DeafProtocol.CUT_OFF.add(ports.get(2));
      await(() -> nodes.get(0).topology().members().size() == 2 && reads(nodes.get(0), key, 1));
      assertThat(write(nodes.get(0), key, 2, 20_000)).isInstanceOf(Outcome.Committed.class);

      DeafProtocol.CUT_OFF.add(ports.get(1));
      await(() -> nodes.stream().allMatch(node -> isRefused(node, key)));
      await(() -> caches.getMembers().size() == 1);
      count(caches);
      DeafProtocol.CUT_OFF.remove(ports.get(2));
      await(() -> isEnded(cutOff) || reads(nodes.get(0), key, 1));
      assertThat(isEnded(cutOff)).as("nobody is asked who has missed the commit").isTrue();
      DeafProtocol.CUT_OFF.clear();
      await(() -> nodes.stream().allMatch(node -> reads(node, key, 2)));
      assertThat(nodes).allMatch(node -> node.topology().members().size() == 2);
      nodes.add(join(ports.get(3)));
      await(() -> nodes.stream().allMatch(node -> reads(node, key, 2)));
    }
  }

  /** As if many topologies had been made by a node that is alone. */
  private static void count(EmbeddedCacheManager alone) {
    LocalTopologyManager topologies =
        GlobalComponentRegistry.of(alone).getComponent(LocalTopologyManager.class);
    CacheTopology now = topologies.getCacheTopology("canopy.cut-off");
    CacheTopology later =
        new CacheTopology(
            now.getTopologyId() + 1_000,
            now.getRebalanceId(),
            now.getCurrentCH(),
            now.getPendingCH(),
            now.getUnionCH(),
            now.getPhase(),
            now.getActualMembers(),
            now.getMembersPersistentUUIDs());
    int view = GlobalComponentRegistry.of(alone).getComponent(Transport.class).getViewId();
    topologies
        .handleTopologyUpdate(
            "canopy.cut-off", later, AvailabilityMode.DEGRADED_MODE, view, alone.getAddress())
        .toCompletableFuture()
        .join();
  }

  @Test
  @Tag(APART)
  void theOthersGoOnWithoutANodeThatTheyHearAndThatHearsNobody()
      throws TimeoutException, InterruptedException {
    GmuNode deaf = nodes.get(2);
    CompositeKey key = keyOf(deaf);
    assertThat(write(deaf, key, 1, 20_000)).isInstanceOf(Outcome.Committed.class);

    DeafProtocol.DEAF.add(ports.get(2));
    await(() -> nodes.get(0).topology().members().size() == 2 && reads(nodes.get(0), key, 1));
    assertThat(write(nodes.get(1), key, 2, 20_000)).isInstanceOf(Outcome.Committed.class);
    await(() -> isRefused(deaf, key));
  }

  /** The node answers when the others ask whether it is alive, but hears nothing else of them. */
  @Test
  void whoHasLostTheOthersForItselfAloneComesBack() throws InterruptedException {
    GmuNode alone = nodes.get(2);
    CompositeKey key = keyOf(alone);
    NodeId before = alone.self();
    DeafProtocol.HEARS_WHEN_ALONE.add(ports.get(2));
    DeafProtocol.DEAF.add(ports.get(2));

    await(() -> !alone.self().equals(before));
    await(() -> nodes.stream().allMatch(node -> node.topology().members().size() == 3));
    await(() -> nodes.stream().allMatch(GmuNode::isReady));
    assertThat(write(alone, key, 1, 20_000)).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void itIsClosedWhileItComesBack() throws InterruptedException {
    GmuNode cutOff = nodes.get(2);
    CompositeKey key = keyOf(cutOff);
    DeafProtocol.CUT_OFF.add(ports.get(2));
    await(() -> isRefused(cutOff, key));
    await(() -> nodes.get(0).topology().members().size() == 2);

    DeafProtocol.CUT_OFF.clear();
    await(() -> isExpelled(cutOff));
    cutOff.close();

    assertThatThrownBy(() -> cutOff.begin(VectorClock.ZERO, in(1_000)))
        .isInstanceOf(NodeClosedException.class);
    await(() -> nodes.get(0).topology().members().size() == 2);
  }

  /** The learner is taken for dead before it has its shards, and tries again. */
  @Test
  void whoIsCutOffWhileItJoinsJoinsAllTheSame() throws InterruptedException {
    for (int i = 0; i < 100; i++) { // 20 MB: more than the learner gets before it is cut off
      CompositeKey key = CompositeKey.of(2_000 + i, new byte[] {1});
      assertThat(write(nodes.get(0), key, new byte[200_000], 20_000))
          .isInstanceOf(Outcome.Committed.class);
    }
    CompletableFuture<GmuNode> joining =
        CompletableFuture.supplyAsync(
            () -> join(ports.get(3)), task -> new Thread(task, "joins").start());
    await(() -> nodes.get(0).topology().members().size() == 4);
    DeafProtocol.CUT_OFF.add(ports.get(3));
    await(() -> nodes.get(0).topology().members().size() == 3);
    assertThat(joining).isNotDone();

    DeafProtocol.CUT_OFF.clear();
    nodes.add(joining.join());
    await(() -> nodes.stream().allMatch(node -> node.topology().members().size() == 4));
    await(() -> nodes.stream().allMatch(GmuNode::isReady));
  }

  /** In a shard of which a node is the primary. */
  private static CompositeKey keyOf(GmuNode node) {
    for (long kcl = 1_000; ; kcl++) {
      int shard = node.shardMap().shardOf(kcl);
      if (node.topology().shard(shard).owners().get(0).equals(node.self())) {
        return CompositeKey.of(kcl, new byte[] {1});
      }
    }
  }

  private static long in(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static Outcome write(GmuNode node, CompositeKey key, int value, long millis) {
    return write(node, key, new byte[] {(byte) value}, millis);
  }

  private static Outcome write(GmuNode node, CompositeKey key, byte[] value, long millis) {
    GmuTransaction tx = node.begin(VectorClock.ZERO, in(millis));
    Footprint.Write write = new Footprint.Write(key, value, null);
    Outcome outcome = tx.commit(new Footprint(List.of(), List.of(), List.of(write)), "test");
    tx.end();
    return outcome;
  }

  private static boolean reads(GmuNode node, CompositeKey key, int value) {
    try {
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(5_000));
      ReadAnswer answer = tx.read(new ReadQuery.Get(key));
      tx.end();
      byte[] found = answer instanceof ReadAnswer.Got got ? got.value() : null;
      return found != null && found[0] == value;
    } catch (NodeClosedException | TimeoutException e) {
      return false;
    }
  }

  private static boolean isRefused(GmuNode node, CompositeKey key) {
    try {
      GmuTransaction tx = node.begin(VectorClock.ZERO, in(100));
      ReadAnswer answer = tx.read(new ReadQuery.Get(key));
      tx.end();
      return answer instanceof ReadAnswer.Unavailable;
    } catch (NodeClosedException e) {
      return e.comesBack();
    } catch (TimeoutException e) {
      return false;
    }
  }

  private static boolean isExpelled(GmuNode node) {
    try {
      node.begin(VectorClock.ZERO, in(100)).end();
      return false;
    } catch (NodeClosedException e) {
      return e.comesBack();
    }
  }

  private static boolean isEnded(GmuNode node) {
    try {
      node.begin(VectorClock.ZERO, in(100)).end();
      return false;
    } catch (NodeClosedException e) {
      return !e.comesBack();
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = in(60_000);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
