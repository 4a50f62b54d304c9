package io.canopygrid.gmu.infinispan;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.LeaveException;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.storage.StorageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real nodes with disks: they stop, and start again. */
@Timeout(180)
final class DiskGridTest {
  private static final int SHARDS = 16;

  private final List<Integer> ports = List.of(FreePort.pick(), FreePort.pick(), FreePort.pick());
  private final List<MemoryDisk> disks =
      Arrays.asList(new MemoryDisk(10), new MemoryDisk(20), new MemoryDisk(30));
  private final Map<Integer, GmuNode> nodes = new HashMap<>();
  private int owners = 2;
  private long graceMillis;

  @AfterEach
  void close() {
    nodes.values().forEach(GmuNode::close);
  }

  private GmuNode node(int place) {
    return Objects.requireNonNull(nodes.get(place));
  }

  private GmuNode join(int place, MemoryDisk disk, long timeoutMillis) {
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    NetworkSettings network =
        new NetworkSettings("127.0.0.1", ports.get(place), members, 2_000, Optional.empty());
    GridSettings settings =
        new GridSettings(
            "test",
            SHARDS,
            owners,
            timeoutMillis,
            1 << 26,
            NodeSettings.DEFAULT,
            30_000,
            null,
            Durability.ASYNC,
            null,
            NodeStorage.TIMEOUT_MILLIS,
            graceMillis);
    return InfinispanGrid.join(
        settings, network, TreeMapStore.FACTORY, Fences.NONE, disk::open, null);
  }

  private CompletableFuture<GmuNode> begin(int place) {
    return CompletableFuture.supplyAsync(
        () -> join(place, disks.get(place), 60_000),
        task -> new Thread(task, "joins-" + place).start());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing is to be done with it
  private void start(int... places) throws InterruptedException, ExecutionException {
    List<CompletableFuture<GmuNode>> joining = new ArrayList<>();
    for (int place : places) {
      joining.add(begin(place));
    }
    try {
      for (int place : places) {
        nodes.put(place, joining.remove(0).get());
      }
    } finally {
      // Where one has not joined, the others are not to disturb the next test.
      joining.forEach(late -> late.thenAccept(GmuNode::close));
    }
  }

  /**
   * All three in turn, so that the last one is the youngest, and each knows that there are three.
   * Of two members the older one alone may found their grid again, and of one the only one.
   */
  private void startInTurn() throws InterruptedException, ExecutionException {
    for (int place = 0; place < 3; place++) {
      start(place);
    }
    for (int place = 0; place < 3; place++) {
      awaitMembers(place, 3);
    }
  }

  private void stop(int... places) {
    for (int place : places) {
      GmuNode node = node(place);
      nodes.remove(place);
      node.close();
    }
  }

  /** Of nodes that stop one after the other, the last one may go on, and come back, alone. */
  private void killAll() {
    disks.replaceAll(MemoryDisk::asKilledNow);
    stop(0, 1, 2);
  }

  @Test
  void allStopAndComeBackInAnyOrder() throws Exception {
    start(0, 1, 2);
    VectorClock token = Entries.write(node(0));
    long last = node(2).topology().id();
    stop(1, 2, 0);
    start(2, 0, 1);
    assertThat(node(1).topology().id()).isGreaterThan(last);
    assertThat(node(1).topology().members()).hasSize(3);
    Entries.assertRead(node(2), token);
    token = Entries.write(node(1));
    stop(0, 1, 2);
    start(0, 1, 2);
    Entries.assertRead(node(0), token);
  }

  @Test
  void tooFewDisksWaitAndSayWhatIsMissing() throws Exception {
    startInTurn();
    VectorClock token = Entries.write(node(0));
    String missing = node(1).self().toString();
    killAll();
    Throwable refused = catchThrowable(() -> join(2, disks.get(2), 5_500));
    assertThat(refused)
        .isInstanceOf(JoinException.class)
        .hasMessageMatching(".* 1 of the 3 that it had last are there.*")
        .as("the address is known from the disk")
        .hasMessageContaining(" at 127.0.0.1:" + ports.get(1) + " (" + missing + ")");
    assertThat(disks.get(2).waits()).contains(missing);
    assertThat(((JoinException) refused).reason()).isEqualTo(Reason.DISKS_MISSING);
    start(2, 1);
    Entries.assertRead(node(1), token);
    start(0);
    Entries.assertRead(node(0), token);
  }

  @Test
  void aNodeThatIsBackGetsWhatItHasMissed() throws Exception {
    start(0, 1, 2);
    stop(2);
    awaitMembers(0, 2);
    VectorClock token = Entries.write(node(0));
    start(2);
    Entries.assertRead(node(2), token);
    stop(0, 1, 2);
    start(0, 1, 2);
    Entries.assertRead(node(2), token);
  }

  /** Each node is stopped, misses some commits, and is started again. */
  @Test
  void nodesThatAreStartedAgainInTurnGetNoShardWhole() throws Exception {
    owners = 3;
    start(0, 1, 2);
    Entries.write(node(0));
    for (int place = 0; place < 3; place++) {
      awaitWatermarks(place);
      int other = (place + 1) % 3;
      stop(place);
      awaitMembers(other, 2);
      VectorClock token = Entries.write(node(other));
      start(place);
      GmuCounters counters = node(place).counters();
      assertThat(counters.shardsWhole()).as("copied whole by %s", place).isZero();
      assertThat(counters.shardsByChanges()).isGreaterThanOrEqualTo(SHARDS);
      Entries.assertRead(node(place), token);
    }
  }

  /** As before, where the others have no copy of a third of what each has; 0 leads first. */
  @Test
  void theOthersMakeNoCopiesForANodeThatIsBackInTime() throws Exception {
    graceMillis = 120_000;
    start(0, 1, 2);
    Entries.write(node(0));
    for (int place = 0; place < 3; place++) {
      int other = (place + 1) % 3;
      awaitCopies(other);
      awaitWatermarks(place);
      long before = wholeOfOthers(place);
      int left = copies(other) - owned(place);
      stop(place);
      awaitMembers(other, 2);
      VectorClock token = Entries.write(node(other));
      assertThat(copies(other)).as("copies at two").isEqualTo(left);
      start(place);
      awaitCopies(other);
      GmuCounters counters = node(place).counters();
      assertThat(counters.shardsWhole()).as("copied whole by %s", place).isZero();
      assertThat(wholeOfOthers(place)).as("copied whole by the others").isEqualTo(before);
      assertThat(counters.shardsByChanges()).isPositive();
      Entries.assertRead(node(place), token);
    }
  }

  /** Also with a leader that has just begun to lead. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void theOthersMakeCopiesOfANodeThatIsNotBackInTime(int place) throws Exception {
    graceMillis = 8_000;
    start(0, 1, 2);
    awaitCopies(1);
    VectorClock token = Entries.write(node(1));
    stop(place);
    awaitMembers(1, 2);
    assertThat(copies(1)).isLessThan(SHARDS * 2);
    awaitCopies(1);
    start(place);
    awaitCopies(1);
    Entries.assertRead(node(place), token);
  }

  /** Also a node that comes with a disk that has nothing: it may be the one that was awaited. */
  @Test
  void aNodeThatJoinsGetsTheShardsOfOneThatIsAwaited() throws Exception {
    graceMillis = 600_000;
    start(0, 1, 2);
    awaitCopies(1);
    VectorClock token = Entries.write(node(1));
    stop(0);
    awaitMembers(1, 2);
    nodes.put(0, join(0, new MemoryDisk(99), 60_000));
    awaitCopies(1);
    Entries.assertRead(node(0), token);
  }

  /** The leaver waits until all shards have their copies. */
  @Test
  void aNodeThatLeavesForGoodEndsTheWaitForAnother() throws Exception {
    graceMillis = 600_000;
    start(1);
    start(2);
    start(0);
    awaitCopies(1);
    stop(0);
    awaitMembers(1, 2);
    assertThat(copies(1)).isLessThan(SHARDS * 2);
    node(2).prepareToLeaveForGood();
    assertThat(copies(1)).isEqualTo(SHARDS * 2);
    stop(2);
    awaitMembers(1, 1);
    assertThat(node(1).failure()).isNull();
  }

  private int copies(int place) {
    Topology topology = node(place).topology();
    return topology.shards().stream()
        .limit(topology.top())
        .mapToInt(shard -> shard.owners().size())
        .sum();
  }

  private int owned(int place) {
    Topology topology = node(place).topology();
    return Math.toIntExact(
        topology.shards().stream()
            .limit(topology.top())
            .filter(shard -> shard.owners().contains(node(place).self()))
            .count());
  }

  private void awaitCopies(int place) throws InterruptedException {
    awaitThat(() -> copies(place) >= SHARDS * owners);
  }

  private long wholeOfOthers(int place) {
    return nodes.entrySet().stream()
        .filter(node -> node.getKey() != place)
        .mapToLong(node -> node.getValue().counters().shardsWhole())
        .sum();
  }

  /** Until its disk says of each copy with entries up to where nothing is missing. */
  private void awaitWatermarks(int place) throws InterruptedException {
    awaitThat(() ->
        disks.get(place).content().copies().values().stream()
            .allMatch(copy -> copy.versions().isEmpty() || copy.complete().isKnown()));
  }

  /** The node that is left refuses, and founds the grid with those that come back. */
  @Test
  void aGridThatHasLostItsMajorityIsFoundedAnew() throws Exception {
    startInTurn();
    VectorClock token = Entries.write(node(0));
    stop(0, 1);
    start(0, 1);
    Entries.assertRead(node(0), token);
    awaitMembers(2, 3);
    Entries.assertRead(node(2), token);
  }

  @Test
  void aDiskOfAnotherGridIsRefused() throws Exception {
    start(0);
    stop(0);
    MemoryDisk other = new MemoryDisk(99);
    nodes.put(1, join(1, other, 30_000));
    assertThatThrownBy(() -> join(0, disks.get(0), 20_000))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("the data directory of this node is of grid");
  }

  /** The first batch has the node's id; the second one its first topology. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void aDiskThatFailsWhileItsNodeJoinsIsNamed(long batches) throws Exception {
    start(0);
    disks.get(1).failsAfter(batches);
    assertThatThrownBy(() -> join(1, disks.get(1), 20_000))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("the disk does not take it")
        .hasCauseInstanceOf(StorageException.class);
    awaitMembers(0, 1);
    Entries.assertRead(node(0), Entries.write(node(0)));
  }

  /** The node does not try again. Its owner learns of it, and starts it when the disk is mended. */
  @Test
  void aDiskThatFailsWhileItsNodeJoinsAgainEndsTheNode() throws Exception {
    startInTurn();
    VectorClock token = Entries.write(node(0));
    disks.get(2).failsAfter(0);
    stop(0, 1);
    List<CompletableFuture<GmuNode>> joining = List.of(begin(0), begin(1));
    awaitThat(() -> node(2).failure() != null);
    assertThat(node(2).failure()).isInstanceOf(StorageException.class);
    stop(2);
    disks.get(2).failsAfter(Long.MAX_VALUE);
    start(2);
    nodes.put(0, joining.get(0).get());
    nodes.put(1, joining.get(1).get());
    Entries.assertRead(node(2), token);
  }

  /** The close does not wait until the disks are there, or the time to join is over. */
  @Test
  void aNodeThatWaitsForDisksToJoinAgainCanBeClosed() throws Exception {
    startInTurn();
    stop(0, 1);
    GmuNode left = node(2);
    awaitThat(() -> !left.isReady() && isJoining());
    stop(2);
    assertThat(left.failure()).isNull();
    assertThat(isJoining()).isFalse();
  }

  private static boolean isJoining() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().equals(DiskRound.class.getName()));
  }

  @Test
  void aNodeThatIsInterruptedWhileItWaitsForDisksStaysInterrupted() throws Exception {
    startInTurn();
    stop(0, 1, 2);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> {
          Throwable thrown = catchThrowable(() -> join(0, disks.get(0), 60_000));
          ended.complete(Thread.currentThread().isInterrupted() ? thrown : null);
        });
    thread.start();
    awaitThat(DiskGridTest::isJoining);
    thread.interrupt();
    assertThat(ended.get()).isInstanceOf(CancellationException.class);
  }

  /** All die right after it, and its disk is not needed; with it its node joins as a new one. */
  @Test
  void aNodeThatHasLeftForGoodIsNotWaitedFor() throws Exception {
    start(0, 1, 2);
    VectorClock token = Entries.write(node(0));
    String gone = node(2).self().toString();
    node(2).prepareToLeaveForGood();
    stop(2);
    assertThat(disks.get(2).hasLeft()).isTrue();
    stop(0, 1);
    start(0, 1);
    Entries.assertRead(node(0), token);
    assertThat(node(0).topology().members()).hasSize(2);
    assertThat(disks.get(0).waits()).doesNotContain(gone);
    assertThat(disks.get(1).waits()).doesNotContain(gone);
    start(2);
    Entries.assertRead(node(2), token);
  }

  /** The older one of two: its disk alone could found a grid without the other one. */
  @Test
  void aNodeStaysWhereTheOthersCouldNotGoOnWithoutIt() throws Exception {
    start(0);
    assertThatThrownBy(() -> node(0).prepareToLeaveForGood())
        .isInstanceOf(LeaveException.class)
        .hasMessageContaining("no other member is there");
    start(1);
    VectorClock token = Entries.write(node(1));
    assertThatThrownBy(() -> node(0).prepareToLeaveForGood())
        .isInstanceOf(LeaveException.class)
        .hasMessageContaining("too few to go on without it, let another node join first");
    node(1).prepareToLeaveForGood();
    stop(1);
    awaitMembers(0, 1);
    Entries.assertRead(node(0), token);
    stop(0);
    start(0);
    Entries.assertRead(node(0), token);
    assertThat(disks.get(0).hasLeft()).isFalse();
  }

  private void awaitMembers(int place, int members) throws InterruptedException {
    awaitThat(() ->
        node(place).failure() != null
            || (node(place).isReady() && node(place).topology().members().size() == members));
  }

  private void awaitThat(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(this::seen).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private String seen() {
    return nodes.entrySet().stream()
        .map(each ->
            "node %d, ready %b, failure %s, %s"
                .formatted(
                    each.getKey(),
                    each.getValue().isReady(),
                    each.getValue().failure(),
                    each.getValue().topology()))
        .collect(joining("; ", "waits for disks " + isJoining() + "; ", ""));
  }
}
