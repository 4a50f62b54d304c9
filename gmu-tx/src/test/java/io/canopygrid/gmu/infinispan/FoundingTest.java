package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.TestInfinispan;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.globalstate.GlobalStateManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes of this JVM found a grid in a placement that they are given, over TCP on the loopback. */
@Timeout(240)
final class FoundingTest {
  private static final int SHARDS = 16;
  private static final int BASE = 1_000;
  private static final String CACHE = "canopy.test";
  private static final GridSettings SETTINGS = settings(60_000);

  private final List<String> hosts = new ArrayList<>();
  private final List<EmbeddedCacheManager> infinispans = new ArrayList<>();
  private final List<GmuNode> nodes = new ArrayList<>();
  private Set<Thread> threadsBefore = Set.of();

  @BeforeEach
  void rememberThreads() {
    threadsBefore = JvmThreads.all();
  }

  @AfterEach
  void everyThreadHasEnded() throws InterruptedException {
    nodes.forEach(GmuNode::close);
    infinispans.forEach(EmbeddedCacheManager::stop);
    JvmThreads.assertEnded(threadsBefore);
  }

  private static GridSettings settings(long joinTimeoutMillis) {
    return new GridSettings("test", SHARDS, 2, joinTimeoutMillis, 1 << 26, NodeSettings.DEFAULT);
  }

  /** Starts that many; the first one leads. A slow one is not to be taken for lost. */
  private void start(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      int port = FreePort.pick();
      NetworkSettings network =
          new NetworkSettings("127.0.0.1", port, List.copyOf(hosts), 60_000, Optional.empty());
      hosts.add("127.0.0.1:" + port);
      infinispans.add(TestInfinispan.start("test", network, 30_000));
    }
    awaitThat(() ->
        infinispans.stream().allMatch(each -> each.getMembers().size() == infinispans.size()));
  }

  private NodeId id(int infinispan) {
    return TopologyMapping.nodeId(infinispans.get(infinispan).getAddress());
  }

  /** Joins on a thread of its own. */
  private CompletableFuture<HostedNode> join(int infinispan, FoundingRound round) {
    return join(infinispan, SETTINGS, round);
  }

  private CompletableFuture<HostedNode> join(
      int infinispan, GridSettings settings, FoundingRound round) {
    return join(infinispan, settings, TreeMapStore.FACTORY, round);
  }

  private CompletableFuture<HostedNode> join(
      int infinispan, GridSettings settings, OrderedStore.Factory stores, FoundingRound round) {
    GridHost host =
        new GridHost(
            settings, infinispans.get(infinispan), false, null, stores, Fences.NONE, null, round);
    return CompletableFuture.supplyAsync(
        () -> {
          HostedNode node = host.join(true, () -> null);
          synchronized (nodes) {
            nodes.add(node);
          }
          return node;
        },
        task -> new Thread(task, "joins-" + infinispan).start());
  }

  /** Joins a grid that serves: once more where no member has answered in the second for that. */
  private HostedNode joinServing(int infinispan) throws Exception {
    RuntimeException isServed = new IllegalStateException("there is a grid that serves");
    FoundingRound none =
        self -> {
          throw isServed;
        };
    for (int attempt = 1; ; attempt++) {
      try {
        return join(infinispan, none).get();
      } catch (ExecutionException e) {
        Throwable cause = Objects.requireNonNull(e.getCause()).getCause();
        if (attempt == 10 || !isServed.equals(cause)) {
          throw e;
        }
      }
    }
  }

  /** The last node has 12 of the 16 shards as primary, the first one none. */
  private FoundingPlacement unbalanced() {
    return founding(BASE, 2, 0, 1);
  }

  /** Of these nodes; the first of them has most. */
  private FoundingPlacement founding(int base, int most, int some, int none) {
    List<List<NodeId>> owners =
        IntStream.range(0, SHARDS)
            .mapToObj(shard ->
                shard < 12
                    ? List.of(id(most), id(shard % 3 == 0 ? none : some))
                    : List.of(id(some), id(shard == 13 ? none : most)))
            .toList();
    return Foundings.of(base, List.of(id(most), id(none), id(some)), owners);
  }

  /** Until its Infinispan has the cache; throws what has ended the joining, if anything has. */
  private void awaitJoining(int infinispan, CompletableFuture<HostedNode> joining)
      throws InterruptedException {
    awaitThat(() -> {
      if (joining.isCompletedExceptionally()) {
        joining.join();
      }
      return infinispans.get(infinispan).cacheExists(CACHE);
    });
  }

  private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  private @Nullable CacheTopology infinispans(int infinispan) {
    return GlobalComponentRegistry.of(infinispans.get(infinispan))
        .getComponent(LocalTopologyManager.class)
        .getCacheTopology(CACHE);
  }

  private static JoinException failure(CompletableFuture<HostedNode> joining)
      throws InterruptedException {
    try {
      joining.get();
    } catch (ExecutionException e) {
      return (JoinException) Objects.requireNonNull(e.getCause());
    }
    throw new AssertionError("has joined");
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 2", "2, 1, 0", "1, 2, 0"})
  void allNodesBeginWithThePlacementInWhateverOrderTheyCome(int first, int second, int third)
      throws Exception {
    start(3);
    FoundingPlacement founding = unbalanced();
    CompletableFuture<HostedNode> one = join(first, self -> founding);
    if (first != 0) {
      awaitJoining(first, one);
    }
    CompletableFuture<HostedNode> two = join(second, self -> founding);
    awaitJoining(second, two);
    assertThat(one).isNotDone();
    assertThat(two).isNotDone();
    assertThat(infinispans(first)).isNull();
    CompletableFuture<HostedNode> three = join(third, self -> founding);

    List<HostedNode> all = List.of(one.get(), two.get(), three.get());
    assertThat(all)
        .extracting(HostedNode::topology)
        .containsOnly(new Topology(BASE + 1, founding.members(), founding.topology().shards()));
    VectorClock token = Entries.write(all.get(0));
    for (HostedNode node : all) {
      Entries.assertRead(node, token);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(Objects.requireNonNull(infinispans(i)).getTopologyId())
          .as("Infinispan moves nothing")
          .isEqualTo(BASE + 1);
    }

    infinispans.get(0).stop(); // the leader
    for (HostedNode node : all) {
      if (!node.self().equals(founding.members().get(2))) {
        awaitThat(() -> node.topology().members().size() == 2);
        Entries.assertRead(node, token);
      }
    }
  }

  @Test
  void aNodeThatComesLaterIsAnOrdinaryJoiner() throws Exception {
    start(3);
    FoundingPlacement founding = unbalanced();
    List<CompletableFuture<HostedNode>> joining =
        IntStream.range(0, 3).mapToObj(i -> join(i, self -> founding)).toList();
    HostedNode member = joining.get(1).get();
    VectorClock token = Entries.write(member);
    start(1);
    HostedNode late = joinServing(3);

    awaitThat(() -> !DeferredInstall.hasLearners(member.topology()));
    assertThat(late.topology().id()).isGreaterThan(BASE + 1);
    assertThat(late.topology().members()).startsWith(founding.members().toArray(NodeId[]::new));
    Entries.assertRead(late, token);
    // Eight for the node that came, which makes a quarter, and three that the second one lacked.
    assertThat(moved(founding, late.topology())).isEqualTo(11);
    joining.get(0).get().close();
    Entries.assertRead(late, token);
  }

  private static long moved(FoundingPlacement founding, Topology now) {
    long moved = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
      List<NodeId> owners = new ArrayList<>(now.shard(shard).owners());
      owners.removeAll(founding.owners().get(shard));
      moved += owners.size();
    }
    return moved;
  }

  @Test
  void shardsThatLackACopyGetItOnceTheGridIsFounded() throws Exception {
    start(3);
    List<List<NodeId>> owners =
        IntStream.range(0, SHARDS).mapToObj(shard -> List.of(id(shard % 3))).toList();
    FoundingPlacement founding = Foundings.of(BASE, List.of(id(0), id(1), id(2)), owners);
    List<CompletableFuture<HostedNode>> joining =
        IntStream.range(0, 3).mapToObj(i -> join(i, self -> founding)).toList();
    for (CompletableFuture<HostedNode> each : joining) {
      HostedNode node = each.get();
      awaitThat(
          () -> node.topology().shards().stream().allMatch(shard -> shard.owners().size() >= 2));
    }
    assertThat(moved(founding, nodes.get(0).topology())).isEqualTo(SHARDS);
  }

  @Test
  void aNodeThatIsNotAMemberWaitsUntilTheGridIsFounded() throws Exception {
    start(4);
    FoundingPlacement founding = founding(BASE, 3, 1, 2);
    CompletableFuture<HostedNode> leader = join(0, self -> founding);
    CompletableFuture<HostedNode> one = join(1, self -> founding);
    CompletableFuture<HostedNode> two = join(2, self -> founding);
    awaitJoining(1, one);
    awaitJoining(2, two);
    assertThat(leader).isNotDone();
    assertThat(infinispans.get(0).cacheExists(CACHE)).isFalse();
    CompletableFuture<HostedNode> three = join(3, self -> founding);

    for (CompletableFuture<HostedNode> each : List.of(one, two, three, leader)) {
      assertThat(each.get().topology().id()).isGreaterThan(BASE);
    }
    assertThat(leader.get().topology().members())
        .startsWith(founding.members().toArray(NodeId[]::new))
        .contains(id(0));
  }

  /** The next leader knows the founding as well; Infinispan asks the members to join once more. */
  @Test
  void aLeaderThatIsNotAMemberMayDie() throws Exception {
    start(4);
    FoundingPlacement founding = founding(BASE, 3, 1, 2);
    CompletableFuture<HostedNode> leader = join(0, self -> founding);
    CompletableFuture<HostedNode> one = join(1, self -> founding);
    CompletableFuture<HostedNode> two = join(2, self -> founding);
    awaitJoining(1, one);
    awaitJoining(2, two);
    FoundingStates states =
        (FoundingStates)
            GlobalComponentRegistry.of(infinispans.get(0)).getComponent(GlobalStateManager.class);
    awaitThat(() -> states.founding(CACHE).isDone());
    infinispans.get(0).stop();
    awaitThat(() -> infinispans.get(1).getMembers().size() == 3);
    CompletableFuture<HostedNode> three = join(3, self -> founding);

    List<CompletableFuture<HostedNode>> joining = List.of(one, two, three);
    awaitThat(() ->
        joining.stream().allMatch(CompletableFuture::isDone)
            || joining.stream().anyMatch(FoundingTest::mayTryAgain));
    assumeThat(joining)
        .as("Infinispan takes the leader's last answer")
        .noneMatch(FoundingTest::mayTryAgain);
    for (CompletableFuture<HostedNode> each : joining) {
      assertThat(each.get().topology()).isEqualTo(founding.topology());
    }
    failure(leader); // for one reason or another: its Infinispan was stopped under it
  }

  private static boolean mayTryAgain(CompletableFuture<HostedNode> joining) {
    return joining.isCompletedExceptionally()
        && joining.handle((node, why) -> why).join().getCause() instanceof JoinException e
        && e.reason().passes()
        && JoinSteps.isOfALeaderThatWent(e);
  }

  @Test
  void itIsKnownWhatFailsForALeaderThatWent() {
    NullPointerException infinispans = new NullPointerException();
    infinispans.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement(
              "org.infinispan.topology.LocalTopologyManagerImpl", "validate", null, 1)
        });

    assertThat(JoinSteps.isOfALeaderThatWent(new CompletionException(infinispans))).isTrue();
    assertThat(JoinSteps.isOfALeaderThatWent(new NullPointerException())).isFalse();
  }

  @Test
  void aGridIsNotFoundedWithoutANodeThatIsNotThere() throws Exception {
    start(3);
    FoundingPlacement founding = unbalanced();
    infinispans.get(1).stop();
    awaitThat(() -> infinispans.get(0).getMembers().size() == 2);

    assertThat(failure(join(0, self -> founding)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LEFT_ALONE))
        .hasMessageEndingWith("left before all were ready");
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 2", "2, 0, 1"})
  void whereANodeDiesBeforeItHasJoinedTheOthersGiveUp(int dies, int one, int two) throws Exception {
    start(3);
    FoundingPlacement founding = unbalanced();
    List<CompletableFuture<HostedNode>> joining =
        List.of(join(one, self -> founding), join(two, self -> founding));
    awaitJoining(one, joining.get(0));
    awaitJoining(two, joining.get(1));
    infinispans.get(dies).stop();

    for (CompletableFuture<HostedNode> each : joining) {
      assertThat(failure(each))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LEFT_ALONE))
          .hasMessageContaining("left before all were ready");
    }
  }

  /** Two who think of different foundings found none. */
  @Test
  void nodesThatDisagreeDoNotFoundTogether() throws Exception {
    start(3);
    FoundingPlacement founding = unbalanced();
    FoundingPlacement older = founding(BASE - 1, 2, 0, 1);
    GridSettings hasty = settings(3_000);
    List<CompletableFuture<HostedNode>> joining =
        List.of(
            join(0, hasty, self -> founding),
            join(1, hasty, self -> older),
            join(2, hasty, self -> founding));

    for (CompletableFuture<HostedNode> each : joining) {
      assertThat(failure(each).reason()).isIn(Reason.FAILED, Reason.GRID_DEGRADED);
    }
  }

  /** A node that stands still while it installs the founding topology. */
  private static final class StuckStores implements OrderedStore.Factory {
    private final CountDownLatch isStuck = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean sticks;

    @Override
    public <V> OrderedStore<V> create() {
      if (sticks) {
        isStuck.countDown();
        awaitThat(end);
      }
      return TreeMapStore.FACTORY.create();
    }

    private static void awaitThat(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void whereANodeDiesWhileTheOthersHaveInstalledTheTopologyTheyGiveUp() throws Exception {
    start(3);
    FoundingPlacement founding = unbalanced();
    StuckStores stuck = new StuckStores();
    CompletableFuture<HostedNode> dies = join(1, SETTINGS, stuck, self -> founding);
    stuck.sticks = true;
    List<CompletableFuture<HostedNode>> others =
        List.of(join(0, self -> founding), join(2, self -> founding));
    StuckStores.awaitThat(stuck.isStuck);
    awaitThat(() -> infinispans(0) != null && infinispans(2) != null);
    GlobalComponentRegistry registry = GlobalComponentRegistry.of(infinispans.get(1));
    ((JGroupsTransport) registry.getComponent(Transport.class)).getChannel().close();

    for (CompletableFuture<HostedNode> each : others) {
      assertThat(failure(each))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LEFT_ALONE))
          .hasMessageContaining("left before all were ready");
    }
    stuck.end.countDown();
    // The dead node asks a leader that it does not hear, for as long as its Infinispan lets it.
    infinispans.get(1).stop();
    failure(dies);
  }

  @Test
  void aNodeThatComesMeanwhileIsLetInOnceAllAreReady() throws Exception {
    start(4);
    FoundingPlacement founding = founding(BASE, 0, 1, 2);
    StuckStores stuck = new StuckStores();
    CompletableFuture<HostedNode> slow = join(1, SETTINGS, stuck, self -> founding);
    stuck.sticks = true;
    CompletableFuture<HostedNode> one = join(0, self -> founding);
    CompletableFuture<HostedNode> two = join(2, self -> founding);
    CompletableFuture<HostedNode> newcomer = join(3, self -> founding);
    StuckStores.awaitThat(stuck.isStuck);
    awaitThat(() -> infinispans(0) != null && infinispans(2) != null);
    assertThat(List.of(slow, one, two, newcomer)).allMatch(each -> !each.isDone());
    assertThat(infinispans.get(3).cacheExists(CACHE)).isFalse();
    stuck.end.countDown();

    assertThat(newcomer.get().topology().members()).hasSize(4).endsWith(id(3));
    VectorClock token = Entries.write(newcomer.get());
    for (CompletableFuture<HostedNode> each : List.of(slow, one, two)) {
      Entries.assertRead(each.get(), token);
    }
  }
}
