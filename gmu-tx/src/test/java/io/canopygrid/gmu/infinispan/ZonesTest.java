package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.TestInfinispan;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.gmu.spi.ZoneSpread;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.MissingReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real nodes in zones: no two copies of a shard are in one, and all nodes of one may die at once.
 */
@Timeout(240)
final class ZonesTest {
  private static final int SHARDS = 16;
  private static final int PLACES = 6;

  private final List<Integer> ports = new ArrayList<>();
  private final List<MemoryDisk> disks = new ArrayList<>();

  /** The zone of the node in each place; empty: it does not say. */
  private final List<String> zones = new ArrayList<>();

  private final Map<Integer, GmuNode> nodes = new HashMap<>();
  private final Map<Integer, JChannel> channels = new HashMap<>();
  private final List<GmuNode> dead = new ArrayList<>();
  private int owners = 2;

  ZonesTest() {
    for (int place = 0; place < PLACES; place++) {
      ports.add(FreePort.pick());
      disks.add(new MemoryDisk(10L * (place + 1)));
      zones.add("");
    }
  }

  @AfterEach
  void close() {
    dead.forEach(GmuNode::close);
    nodes.values().forEach(GmuNode::abandon);
    nodes.values().forEach(GmuNode::close);
  }

  private void zones(String... each) {
    for (int place = 0; place < each.length; place++) {
      zones.set(place, each[place]);
    }
  }

  private GmuNode node(int place) {
    return Objects.requireNonNull(nodes.get(place));
  }

  private NetworkSettings network(int place) {
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    NetworkSettings network =
        new NetworkSettings("127.0.0.1", ports.get(place), members, 2_000, Optional.empty());
    return zones.get(place).isEmpty() ? network : network.zone(zones.get(place));
  }

  private GridSettings settings() {
    return new GridSettings("zones", SHARDS, owners, 60_000, 1 << 26, NodeSettings.DEFAULT);
  }

  /** A node with its data in memory, which can be killed. */
  private void join(int place) {
    join(place, null);
  }

  /** A node that can be killed, and does not join again by itself. */
  private void join(int place, @Nullable NodeDisk disk) {
    EmbeddedCacheManager caches = TestInfinispan.start("zones", network(place), 30_000);
    Transport network = GlobalComponentRegistry.of(caches).getComponent(Transport.class);
    channels.put(place, ((JGroupsTransport) network).getChannel());
    nodes.put(
        place,
        new GridHost(settings(), caches, true, null, TreeMapStore.FACTORY, Fences.NONE, disk, null)
            .join(true, () -> null));
  }

  private void joinInTurn(String... each) throws InterruptedException {
    zones(each);
    for (int place = 0; place < each.length; place++) {
      join(place);
    }
    awaitCopies(0, each.length);
  }

  /** All at the same moment, and without a word, as where a machine room loses its power. */
  private void kill(int... places) {
    List<Thread> ends = new ArrayList<>();
    for (int place : places) {
      disks.set(place, disks.get(place).asKilledNow());
      JChannel channel = Objects.requireNonNull(channels.get(place));
      dead.add(node(place));
      nodes.remove(place);
      ends.add(new Thread(() -> shutDown(channel), "kills-" + place));
    }
    dead.forEach(GmuNode::abandon);
    ends.forEach(Thread::start);
  }

  private static void shutDown(JChannel channel) {
    try {
      Util.shutdown(channel);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the loop waits for each
  private void startWithDisks(int... places) throws InterruptedException, ExecutionException {
    Map<Integer, CompletableFuture<GmuNode>> joining = new HashMap<>();
    for (int place : places) {
      joining.put(
          place,
          CompletableFuture.supplyAsync(
              () ->
                  InfinispanGrid.join(
                      settings(),
                      network(place),
                      TreeMapStore.FACTORY,
                      Fences.NONE,
                      disks.get(place)::open,
                      null),
              task -> new Thread(task, "joins-" + place).start()));
    }
    for (int place : places) {
      nodes.put(place, Objects.requireNonNull(joining.get(place)).get());
    }
  }

  private void startWithDisksInTurn(String... each) throws Exception {
    zones(each);
    for (int place = 0; place < each.length; place++) {
      startWithDisks(place);
    }
    awaitCopies(0, each.length);
  }

  /** Nodes end without a word, and their disks are what a kill would have left. */
  private void killWithDisks(int... places) throws InterruptedException {
    List<Thread> ends = new ArrayList<>();
    for (int place : places) {
      disks.set(place, disks.get(place).asKilledNow());
      GmuNode node = node(place);
      nodes.remove(place);
      ends.add(new Thread(node::close, "kills-" + place));
    }
    ends.forEach(Thread::start);
    for (Thread end : ends) {
      end.join();
    }
  }

  private ZoneSpread spread(int place) {
    GmuNode node = node(place);
    GridView view = node.view();
    return ZoneSpread.of(
        node.topology(), owners, id -> view.find(id).map(GridView.Member::zone).orElse(""));
  }

  private void assertNoneIsShared(int place) {
    assertThat(spread(place).text()).as(() -> node(place).topology().toString()).isEmpty();
    assertThat(spread(place).zones()).isPositive();
  }

  private static int copies(Topology topology) {
    return topology.shards().stream()
        .limit(topology.top())
        .mapToInt(shard -> shard.owners().size())
        .sum();
  }

  private static boolean isAtRest(Topology topology) {
    return topology.shards().stream().allMatch(shard -> shard.learners().isEmpty());
  }

  private void awaitCopies(int place, int members) throws InterruptedException {
    int each = Math.min(owners, members);
    awaitThat(
        place,
        () ->
            node(place).isReady()
                && node(place).topology().members().size() == members
                && copies(node(place).topology()) == SHARDS * each
                && isAtRest(node(place).topology()));
  }

  private void awaitThat(int place, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as(() -> node(place).isReady() + " " + node(place).topology())
          .isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** As nodes join, one zone after the other, and in turn; as one dies, and another one comes. */
  @ParameterizedTest
  @ValueSource(strings = {"a,a,b,b,c", "a,b,a,b,c", "a,b,b,b,b", "dc/1,dc/2,dc/1,dc/2,dc/3"})
  void noTwoCopiesAreInOneZone(String each) throws Exception {
    String[] all = each.split(",", -1);
    joinInTurn(all);
    assertNoneIsShared(0);
    VectorClock token = Entries.write(node(2));
    kill(all.length - 1);
    awaitCopies(0, all.length - 1);
    assertNoneIsShared(0);
    zones.set(all.length, all[0]);
    join(all.length);
    awaitCopies(0, all.length);
    assertNoneIsShared(0);
    Entries.assertRead(node(1), token);
  }

  /** Two of five or six nodes: more than a grid of two copies could lose anywhere else. */
  @ParameterizedTest
  @ValueSource(strings = {"a,a,b,b,c,c", "b,c,a,c,b,a", "a,b,c,a,b,c"})
  void theNodesOfAZoneDieAndTheOthersGoOn(String each) throws Exception {
    String[] all = each.split(",", -1);
    joinInTurn(all);
    VectorClock token = Entries.write(node(0));
    String lost = all[PLACES - 1];
    int[] places = IntStream.range(0, PLACES).filter(i -> all[i].equals(lost)).toArray();
    int left = IntStream.range(0, PLACES).filter(i -> !all[i].equals(lost)).findFirst().orElse(0);
    kill(places);
    awaitCopies(left, PLACES - places.length);
    Entries.assertRead(node(left), token);
    assertNoneIsShared(left);
    Entries.assertRead(node(left), Entries.write(node(left)));
  }

  /** Of four nodes in zones of one, one and two, the one that is alone may die. */
  @Test
  void zonesNeedNotHaveTheSameNumberOfNodes() throws Exception {
    joinInTurn("a", "b", "c", "c");
    assertNoneIsShared(0);
    VectorClock token = Entries.write(node(3));
    kill(0);
    awaitCopies(1, 3);
    assertNoneIsShared(1);
    Entries.assertRead(node(1), token);
  }

  /** Three copies, two zones: each shard is in both of them. */
  @Test
  void whereThereAreFewerZonesThanCopiesAllOfThemHaveOne() throws Exception {
    owners = 3;
    joinInTurn("a", "a", "b", "b");
    ZoneSpread spread = spread(0);
    assertThat(spread.crowded()).isEqualTo(SHARDS);
    assertThat(spread.text())
        .isEqualTo(
            "16 of 16 shards have two or more of their copies in one zone: there are nodes in 2"
                + " zones, and 3 copies");
    Topology topology = node(0).topology();
    GridView view = node(0).view();
    assertThat(topology.shards().subList(0, SHARDS))
        .allSatisfy(shard ->
            assertThat(shard.owners())
                .extracting(id -> view.find(id).map(GridView.Member::zone).orElse(""))
                .contains("a", "b"));
  }

  /** A grid is given zones by one restart of each node; in between it says what is missing. */
  @Test
  void zonesComeWithNodesThatAreStartedAgainInTurn() throws Exception {
    startWithDisksInTurn("", "", "", "");
    assertThat(spread(0).zones()).isZero();
    VectorClock token = Entries.write(node(0));
    String[] next = {"a", "a", "b", "b"};
    for (int place : new int[] {0, 2, 3, 1}) {
      killWithDisks(place);
      int other = (place + 1) % 4;
      awaitCopies(other, 3);
      zones.set(place, next[place]);
      startWithDisks(place);
      awaitCopies(other, 4);
      assertThat(spread(other).zones()).isPositive();
    }
    awaitThat(0, () -> spread(0).crowded() == 0);
    assertNoneIsShared(0);
    Entries.assertRead(node(2), token);
  }

  /** Also where nodes have other zones than when their disks were written. */
  @ParameterizedTest
  @ValueSource(strings = {"a,a,b,b", "a,b,a,b", "a,b,b,a"})
  void aGridThatIsFoundedFromDisksHasItsCopiesInDifferentZones(String after) throws Exception {
    startWithDisksInTurn("a", "a", "b", "b");
    assertNoneIsShared(0);
    VectorClock token = Entries.write(node(1));
    killWithDisks(0, 1, 2, 3);
    zones(after.split(",", -1));
    startWithDisks(3, 1, 0, 2);
    awaitThat(0, () -> spread(0).zones() == 2 && spread(0).crowded() == 0);
    awaitCopies(0, 4);
    assertNoneIsShared(0);
    Entries.assertRead(node(2), token);
  }

  /** Two zones: half of the nodes is lost, so the others wait, and go on when these are back. */
  @Test
  void oneOfTwoZonesIsLostAndComesBack() throws Exception {
    zones("a", "a", "b", "b");
    startWithDisks(0);
    startWithDisks(1);
    join(2, disks.get(2).open());
    join(3, disks.get(3).open());
    awaitCopies(0, 4);
    VectorClock token = Entries.write(node(0));
    kill(2, 3);
    awaitThat(0, () -> !node(0).isReady());
    startWithDisks(2, 3);
    awaitCopies(0, 4);
    Entries.assertRead(node(0), token);
    Entries.assertRead(node(3), token);
    assertNoneIsShared(0);
  }

  /** Also of the oldest node: an operator says that it is lost, and no shard is. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void oneOfTwoZonesIsLostForGoodAndTheDisksOfTheOtherHaveAll(int lost) throws Exception {
    zones("a", "a", "b", "b");
    int left = 2 - lost;
    for (int place = 0; place < 4; place++) {
      if (place / 2 == lost / 2) {
        join(place, disks.get(place).open());
      } else {
        startWithDisks(place);
      }
    }
    awaitCopies(left, 4);
    VectorClock token = Entries.write(node(left));
    kill(lost, lost + 1);
    awaitThat(left, () -> missing(left).size() == 2);
    LostDisks told = Objects.requireNonNull(disks.get(left).lost());
    List<String> names = missing(left).stream().map(MissingReport.Disk::id).toList();
    assertThat(told.lose(names, false).outcome())
        .as("no shard is lost")
        .isEqualTo(MissingReport.Outcome.LOST);
    awaitCopies(left, 2);
    Entries.assertRead(node(left), token);
    Entries.assertRead(node(left + 1), token);
  }

  private List<MissingReport.Disk> missing(int place) {
    LostDisks lost = disks.get(place).lost();
    return lost == null ? List.of() : lost.report(List.of()).missing();
  }
}
