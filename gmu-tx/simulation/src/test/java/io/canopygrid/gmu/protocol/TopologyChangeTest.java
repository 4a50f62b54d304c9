package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Members come and go (protocol.md, Topology change and failure): scenarios by hand. */
final class TopologyChangeTest {
  private final Grid grid = new Grid(3, 2, Fences.NONE);
  private final CompositeKey a = grid.key(0, "a");
  private final CompositeKey b = grid.key(1, "b");

  private static final NodeId N0 = Grid.id(0);
  private static final NodeId N1 = Grid.id(1);
  private static final NodeId N2 = Grid.id(2);

  private static Placement owners(NodeId... nodes) {
    return new Placement(List.of(nodes), List.of());
  }

  /** Node 0 is gone: its backup in shard 0 takes over. */
  private static Topology withoutNode0(long id) {
    return new Topology(
        id, List.of(N1, N2), List.of(owners(N1), owners(N1, N2), owners(N2), owners(N1, N2)));
  }

  private void crash0() {
    grid.crash(0);
    grid.install(withoutNode0(2));
  }

  private void put(CompositeKey key, String value) {
    assertThat(grid.put(1, key, value)).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void aBackupTakesOverWithAllThatWasCommitted() {
    put(a, "1");
    crash0();
    grid.settle();
    assertThat(grid.begin(2).get(a)).isEqualTo("1");
    put(a, "2");
    assertThat(grid.begin(2).get(a)).isEqualTo("2");
  }

  @Test
  void aNewTermStartsAnEpochAboveWhateverWasProposed() {
    put(a, "1");
    long before = grid.begin(1).clock.get(0);
    crash0();
    grid.settle();
    Grid.Tx tx = grid.begin(1);
    tx.write(a, "2");
    VectorClock clock = ((Outcome.Committed) tx.commitAndSettle()).clock();
    assertThat(clock.get(0))
        .isEqualTo((2L << ProtocolConfig.COUNTER_BITS) + 1)
        .isGreaterThan(before);
  }

  @Test
  void whatACoordinatorThatLeftDidNotDecideIsAborted() {
    Grid.Tx tx = grid.begin(0);
    tx.write(a, "1");
    tx.write(b, "1");
    tx.commit();
    grid.hold(m -> m.message() instanceof Vote);
    grid.settle();
    assertThat(grid.nodes.get(1).status().shards()).anyMatch(s -> s.records() > 0);
    crash0();
    grid.letGo();
    assertThat(grid.nodes.get(1).status().shards()).allMatch(ProtocolStatus.Shard::isIdle);
    assertThat(grid.begin(2).get(b)).isNull();
    put(b, "2");
  }

  @Test
  void whatOneNodeHeardOfADecisionIsCommittedEverywhere() {
    Grid.Tx tx = grid.begin(0);
    tx.write(a, "1");
    tx.write(b, "1");
    tx.commit();
    // Only node 2, a backup of shard 1, hears the decision.
    grid.hold(m -> m.message() instanceof Decide && m.to() != 2);
    grid.settle();
    assertThat(grid.nodes.get(1).status().shards()).anyMatch(s -> s.records() > 0);
    crash0();
    grid.letGo();
    assertThat(grid.begin(2).get(a)).isEqualTo("1");
    assertThat(grid.begin(2).get(b)).isEqualTo("1");
    assertThat(grid.nodes.get(1).status().decisions()).isZero();
  }

  @Test
  void aOnePhaseCommitIsCompletedByAnyNodeThatHasItsMessage() {
    Grid g = new Grid(3, 2, Fences.NONE);
    CompositeKey first = g.key(0, "a");
    CompositeKey second = CompositeKey.of(1, Grid.bytes("top"));
    Grid.Tx tx = g.begin(0);
    tx.write(first, "1");
    tx.write(second, "1");
    tx.commit();
    // Node 0 is the primary of both; node 2 has no copy of shard 0 and hears of it all the same.
    g.hold(m -> m.message() instanceof Decide && m.to() != 2);
    g.settle();
    g.crash(0);
    g.install(withoutNode0(2));
    g.letGo();
    assertThat(g.begin(1).get(first)).isEqualTo("1");
    assertThat(g.begin(1).get(second)).isEqualTo("1");
  }

  @Test
  void aTakeoverWaitsForAllFlushesAndForInheritedRecords() {
    Grid.Tx tx = grid.begin(2);
    tx.write(a, "1");
    tx.write(b, "1");
    tx.commit();
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    grid.crash(0);
    grid.hold(m -> m.message() instanceof Decide || m.message() instanceof Flush);
    grid.install(withoutNode0(2));
    Grid.Tx reader = grid.begin(1);
    long request = reader.ask(new ReadQuery.Get(a));
    grid.settle();
    assertThat(grid.answers).doesNotContainKey(request);
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    // The flush told it: the decision was known to its coordinator.
    assertThat(((ReadAnswer.Got) reader.answer(request)).value()).isEqualTo(Grid.bytes("1"));
    grid.letGo();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void aPrepareOfAnOldTopologyIsRefusedAndMayBeTriedAgain() {
    Grid.Tx tx = grid.begin(2);
    tx.write(b, "1");
    tx.commit();
    grid.install(2, 3, 2);
    grid.settle();
    assertThat(tx.reason()).isEqualTo(AbortReason.TOPOLOGY_CHANGED);
    assertThat(tx.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void messagesOfANewerTopologyWaitUntilItIsInstalled() {
    Topology next = withShard0At(2, List.of(N0, N1), List.of());
    grid.installAt(2, next);
    Grid.Tx tx = grid.begin(2);
    tx.write(b, "1");
    tx.commit();
    grid.settle();
    assertThat(grid.nodes.get(1).status().deferred()).isPositive();
    assertThat(tx.hasEnded()).isFalse();
    grid.installAt(0, next);
    grid.installAt(1, next);
    grid.settle();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void theAnswerOfAnExpelledNodeDoesNotCount() {
    put(a, "1");
    Grid.Tx reader = grid.begin(2);
    long request = reader.ask(new ReadQuery.Get(a));
    grid.hold(m -> m.from() == 0);
    grid.settle();
    // Node 0 has answered, and does not hear of the topology without it.
    grid.installAt(1, withoutNode0(2));
    grid.installAt(2, withoutNode0(2));
    grid.hold(m -> m.from() == 0 || m.to() == 0 || m.message() instanceof Read);
    put(a, "2");
    grid.deliverFirst(m -> m.message() instanceof ReadReply);
    grid.letGo();
    assertThat(((ReadAnswer.Got) reader.answer(request)).value()).isEqualTo(Grid.bytes("2"));
  }

  @Test
  void anOpenReadIsAskedAgain() {
    put(a, "1");
    Grid.Tx reader = grid.begin(2);
    long request = reader.ask(new ReadQuery.Get(a));
    crash0();
    grid.settle();
    assertThat(((ReadAnswer.Got) reader.answer(request)).value()).isEqualTo(Grid.bytes("1"));
  }

  /** All three are members; shard 0 is where it is said. */
  private static Topology withShard0At(long id, List<NodeId> owners, List<NodeId> learners) {
    return new Topology(
        id,
        List.of(N0, N1, N2),
        List.of(
            new Placement(owners, learners), owners(N1, N2), owners(N2, N0), owners(N0, N1, N2)));
  }

  @Test
  void aJoinerGetsTheStateInChunksInWhateverOrderTheyCome() {
    for (int i = 0; i < 20; i++) {
      put(grid.key(0, "key " + i), "" + i);
    }
    grid.hold(m -> m.message() instanceof State);
    grid.install(withShard0At(2, List.of(N0, N1), List.of(N2)));
    grid.settle();
    List<Grid.InFlight> chunks =
        grid.wire.stream().filter(m -> m.message() instanceof State).toList();
    assertThat(chunks).hasSizeGreaterThan(5);
    // Meanwhile it is told what commits.
    put(grid.key(0, "key 3"), "new");
    for (int i = chunks.size() - 1; i > 0; i--) {
      grid.hand(chunks.get(i));
      grid.hand(chunks.get(i));
    }
    assertThat(grid.others.get(2)).noneMatch(e -> e instanceof Effect.Synced);
    grid.letGo();
    assertThat(grid.others.get(2)).contains(new Effect.Synced(2, 0));
    grid.install(withShard0At(3, List.of(N2, N1), List.of()));
    grid.settle();
    assertThat(grid.nodes.get(2).size(grid.kcl(0)).entries()).isEqualTo(20);
    Grid.Tx reader = grid.begin(1);
    assertThat(reader.get(grid.key(0, "key 3"))).isEqualTo("new");
    assertThat(reader.scan(grid.kcl(0), "a", null).entries()).hasSize(20);
    assertThat(grid.nodes.get(0).size(grid.kcl(0)).entries()).isZero();
  }

  @Test
  void aJoinerGetsRecordsThatAreNotDecidedYet() {
    Grid.Tx tx = grid.begin(1);
    tx.write(a, "1");
    tx.write(b, "1");
    tx.commit();
    grid.hold(m -> m.message() instanceof Vote && m.from() == 2);
    grid.settle();
    grid.install(withShard0At(2, List.of(N0, N1), List.of(N2)));
    grid.settle();
    assertThat(grid.nodes.get(2).status().shards().get(0).records()).isEqualTo(1);
    grid.letGo();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
    grid.install(withShard0At(3, List.of(N2), List.of()));
    grid.settle();
    assertThat(grid.begin(0).get(a)).isEqualTo("1");
  }

  @Test
  void aStateOfAnOlderTopologyIsNotTaken() {
    put(a, "1");
    grid.hold(m -> m.message() instanceof State);
    grid.install(withShard0At(2, List.of(N0, N1), List.of(N2)));
    grid.settle();
    List<Grid.InFlight> old = grid.wire.stream().filter(m -> m.message() instanceof State).toList();
    grid.install(withShard0At(3, List.of(N0, N1), List.of(N2)));
    grid.settle();
    old.forEach(grid::deliver);
    assertThat(grid.nodes.get(2).status().shards().get(0).synced()).isFalse();
    grid.letGo();
    assertThat(grid.others.get(2)).contains(new Effect.Synced(3, 0));
    assertThat(grid.nodes.get(2).size(grid.kcl(0)).entries()).isEqualTo(1);
  }

  /**
   * Found with the simulation: a state on its way while a key is deleted and the tombstone's turn
   * to be dropped comes would bring the key back.
   */
  @Test
  void aJoinerDropsNoTombstoneBeforeItHasItsState() {
    assertThat(valueAtTheJoiner()).isNull();
    assertThat(Mutation.JOINER_DROPS.during(() -> valueAtTheJoiner())).isEqualTo("1");
  }

  private @Nullable String valueAtTheJoiner() {
    Grid g = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    CompositeKey key = g.key(0, "a");
    assertThat(g.put(1, key, "1")).isInstanceOf(Outcome.Committed.class);
    g.hold(m -> m.message() instanceof State);
    g.install(withShard0At(2, List.of(N0, N1), List.of(N2)));
    g.settle();
    assertThat(g.put(1, key, null)).isInstanceOf(Outcome.Committed.class);
    for (int i = 0; i < 4; i++) {
      g.tick();
      g.settle();
    }
    g.letGo();
    g.install(withShard0At(3, List.of(N2, N1), List.of()));
    g.settle();
    return g.begin(1).get(key);
  }

  @Test
  void aMemberThatMissedTopologiesStartsItsJoinersCopyOver() {
    put(a, "1");
    // Node 1 was a backup of shard 0; it does not see that it was none for a while.
    Topology without = withShard0At(2, List.of(N0), List.of());
    grid.installAt(0, without);
    grid.installAt(2, without);
    grid.settle();
    Grid.Tx tx = grid.begin(2);
    tx.write(a, "2");
    assertThat(tx.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    grid.install(withShard0At(3, List.of(N0), List.of(N1)));
    grid.settle();
    assertThat(grid.others.get(1)).contains(new Effect.Synced(3, 0));
    grid.install(withShard0At(4, List.of(N1), List.of()));
    grid.settle();
    assertThat(grid.begin(2).get(a)).isEqualTo("2");
  }

  @Test
  void aNewMemberIsReadyWithTheHorizonOfTheOthers() {
    put(a, "1");
    for (int i = 0; i < 3; i++) {
      grid.tick();
      grid.settle();
    }
    int node = grid.addNode();
    NodeId fresh = Grid.id(node);
    Topology more =
        new Topology(
            2,
            List.of(N0, N1, N2, fresh),
            List.of(
                owners(N0, N1),
                owners(N1, N2),
                owners(N2, N0),
                new Placement(List.of(N0, N1, N2), List.of(fresh))));
    grid.hold(m -> m.message() instanceof Flush);
    grid.install(more);
    grid.settle();
    assertThat(grid.nodes.get(node).isReady()).isFalse();
    Grid.Tx early = grid.begin(node);
    assertThat(early.read(new ReadQuery.Get(a))).isInstanceOf(ReadAnswer.TooOld.class);
    grid.letGo();
    assertThat(grid.nodes.get(node).isReady()).isTrue();
    assertThat(early.read(new ReadQuery.Get(a))).isInstanceOf(ReadAnswer.TooOld.class);
    assertThat(grid.begin(node).get(a)).isEqualTo("1");
    assertThat(grid.nodes.get(node).drained()).isFalse();
  }

  @Test
  void aShardWithoutAnOwnerIsUnavailable() {
    Grid single = new Grid(3, 1, Fences.NONE);
    CompositeKey key = single.key(0, "a");
    single.crash(0);
    single.install(
        new Topology(
            2, List.of(N1, N2), List.of(owners(), owners(N1), owners(N2), owners(N1, N2))));
    single.settle();
    Grid.Tx tx = single.begin(1);
    assertThat(tx.read(new ReadQuery.Get(key))).isEqualTo(new ReadAnswer.Unavailable(0));
    tx.write(key, "1");
    tx.commit();
    assertThat(tx.reason()).isEqualTo(AbortReason.SHARD_UNAVAILABLE);
  }

  @Test
  void anExpelledNodeAnswersWhatIsOpenAndFallsSilent() {
    Grid.Tx undecided = grid.begin(0);
    undecided.write(a, "1");
    undecided.write(b, "1");
    undecided.commit();
    Grid.Tx reader = grid.begin(0);
    long request = reader.ask(new ReadQuery.Get(b));
    grid.installAt(0, withoutNode0(2));
    assertThat(undecided.reason()).isEqualTo(AbortReason.SHARD_UNAVAILABLE);
    assertThat(Objects.requireNonNull(grid.answers.get(request)).answer())
        .isInstanceOf(ReadAnswer.Unavailable.class);
    List<Effect> effects = new ArrayList<>();
    grid.nodes.get(0).onTick(0, effects);
    assertThat(effects).isEmpty();
    assertThat(grid.nodes.get(0).drained()).isTrue();
  }

  @Test
  void aCommitThatAnExpelledNodeDecidedIsUnknownThere() {
    Grid.Tx tx = grid.begin(0);
    tx.write(a, "1");
    tx.write(b, "1");
    tx.commit();
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    grid.installAt(0, withoutNode0(2));
    assertThat(tx.outcome()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void anOwnerWithoutTheStateIsABug() {
    grid.hold(m -> m.message() instanceof State);
    grid.install(withShard0At(2, List.of(N0, N1), List.of(N2)));
    grid.settle();
    assertThatThrownBy(() -> grid.install(withShard0At(3, List.of(N2), List.of())))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void aReadOutsideTheLaneNeedsTheServingPrimaryOfTheSameTopology() {
    put(a, "1");
    ReadQuery.Get query = new ReadQuery.Get(a);
    VectorClock now = grid.begin(0).clock;
    ProtocolNode primary = grid.nodes.get(0);
    assertThat(primary.tryRead(1, query, now, ShardSet.EMPTY)).isNotNull();
    assertThat(primary.tryRead(2, query, now, ShardSet.EMPTY)).isNull();
    assertThat(grid.nodes.get(1).tryRead(1, query, now, ShardSet.EMPTY)).isNull();
    assertThat(grid.nodes.get(2).tryRead(1, query, now, ShardSet.EMPTY)).isNull();
    VectorClock later = now.with(0, Long.MAX_VALUE);
    assertThat(primary.tryRead(1, query, later, ShardSet.EMPTY)).isNull();
    grid.install(withShard0At(2, List.of(N1, N0), List.of()));
    assertThat(primary.tryRead(1, query, now, ShardSet.EMPTY)).isNull();
    assertThat(primary.tryRead(2, query, now, ShardSet.EMPTY)).isNull();
    assertThat(grid.nodes.get(1).tryRead(2, query, now, ShardSet.EMPTY)).isNull();
    grid.settle();
    assertThat(grid.nodes.get(1).tryRead(2, query, now, ShardSet.EMPTY)).isNotNull();
  }

  @Test
  void waitingPreparesAreRefusedAtTheEndOfATerm() {
    Grid.Tx reader = grid.begin(2);
    reader.get(a);
    reader.write(b, "1");
    reader.commit();
    grid.hold(m -> m.message() instanceof Vote && m.to() == 2);
    grid.settle();
    Grid.Tx writer = grid.begin(0);
    writer.write(a, "2");
    writer.commit();
    assertThat(writer.hasEnded()).isFalse();
    grid.install(withShard0At(2, List.of(N1, N0), List.of()));
    assertThat(writer.reason()).isEqualTo(AbortReason.TOPOLOGY_CHANGED);
    grid.letGo();
    assertThat(reader.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(writer.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void aPrepareParkedUntilTheTakeoverIsServedThen() {
    grid.hold(m -> m.message() instanceof Flush);
    grid.install(withShard0At(2, List.of(N1, N0), List.of()));
    Grid.Tx tx = grid.begin(2);
    tx.write(a, "1");
    tx.commit();
    grid.settle();
    assertThat(tx.hasEnded()).isFalse();
    assertThat(grid.wire).noneMatch(m -> m.message() instanceof Prepare);
    grid.letGo();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
  }
}
