package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A commit that the primary of its only shard decides (protocol.md, Delegation). */
final class DelegationScenarioTest {
  private static final NodeId N0 = Grid.id(0);
  private static final NodeId N1 = Grid.id(1);
  private static final NodeId N2 = Grid.id(2);

  private static final Replacement TWO_PHASES =
      Replacement.returning(Coordinator.class, "mayDelegate", false);

  private static Placement owners(NodeId... nodes) {
    return new Placement(List.of(nodes), List.of());
  }

  /** Node 1, the primary of shard 1, is gone: its backup is node 2. */
  private static Topology withoutNode1(long id) {
    return new Topology(
        id, List.of(N0, N2), List.of(owners(N0), owners(N2), owners(N2, N0), owners(N0, N2)));
  }

  /** Node 0, which has no copy of shard 1, is gone. */
  private static Topology withoutNode0(long id) {
    return new Topology(
        id, List.of(N1, N2), List.of(owners(N1), owners(N1, N2), owners(N2), owners(N1, N2)));
  }

  private static Grid grid() {
    return new Grid(3, 2, Fences.NONE, Grid.CONFIG);
  }

  /** A blind put of shard 1 by node 0. */
  private static Grid.Tx put(Grid grid, String value) {
    Grid.Tx tx = grid.begin(0);
    tx.write(grid.key(1, "b"), value);
    tx.commit();
    return tx;
  }

  private static @Nullable String at(Grid grid, int node) {
    return grid.begin(node).get(grid.key(1, "b"));
  }

  /** Delivers all messages one by one. */
  private static List<Message> exchanged(Grid grid) {
    List<Message> messages = new ArrayList<>();
    while (!grid.wire.isEmpty()) {
      messages.add(grid.wire.get(0).message());
      grid.deliver(grid.wire.get(0));
    }
    return messages;
  }

  @Test
  void aBlindPutIsOneRequestAndFourMessages() {
    Grid grid = grid();
    Grid.Tx tx = put(grid, "1");
    assertThat(exchanged(grid))
        .hasExactlyElementsOfTypes(Prepare.class, Decide.class, Ack.class, Vote.class);
    assertThat(tx.ended()).matches(e -> e != null && e.onePhase());
    VectorClock clock = ((Outcome.Committed) tx.outcome()).clock();
    assertThat(clock.get(1)).isPositive();
    assertThat(grid.begin(0, clock).get(grid.key(1, "b"))).isEqualTo("1");
  }

  @Test
  void inTwoPhasesItIsTwoRequestsAndEightMessages() {
    Grid grid = grid();
    int messages =
        Replacement.during(
            List.of(TWO_PHASES),
            () -> {
              Grid.Tx tx = put(grid, "1");
              int exchanged = exchanged(grid).size();
              assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
              return exchanged;
            });
    assertThat(messages).isEqualTo(8);
  }

  @Test
  void whatWasReadThereIsValidatedInTheSameRequest() {
    Grid grid = grid();
    Grid.Tx stale = grid.begin(0);
    stale.get(grid.key(1, "b"));
    Grid.Tx fresh = grid.begin(0);
    fresh.get(grid.key(1, "b"));
    fresh.write(grid.key(1, "b"), "2");
    fresh.commit();
    assertThat(exchanged(grid)).hasSize(4);
    assertThat(fresh.outcome()).isInstanceOf(Outcome.Committed.class);
    stale.write(grid.key(1, "b"), "3");
    stale.commit();
    assertThat(exchanged(grid)).hasSize(2);
    assertThat(stale.reason()).isEqualTo(AbortReason.STALE_READ);
    assertThat(at(grid, 0)).isEqualTo("2");
  }

  @Test
  void itIsToldWhenTheBackupHasIt() {
    assertThat(outcomeOfWhatOnlyThePrimaryKnew()).isInstanceOf(Outcome.Aborted.class);
    assertThat(Mutation.DELEGATE_ANSWERS_EARLY.during(() -> outcomeOfWhatOnlyThePrimaryKnew()))
        .isInstanceOf(Outcome.Committed.class);
  }

  /** The primary dies before its backup has heard of the commit: it never was. */
  private static Outcome outcomeOfWhatOnlyThePrimaryKnew() {
    Grid grid = grid();
    Grid.Tx tx = put(grid, "1");
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    grid.crash(1);
    grid.install(withoutNode1(2));
    grid.letGo();
    assertThat(at(grid, 2)).isNull();
    return tx.outcome();
  }

  @Test
  void itsOutcomeIsFoundInTheFlush() {
    assertThat(outcomeOfWhatTheBackupKnows(false)).isInstanceOf(Outcome.Committed.class);
    assertThat(Mutation.DELEGATION_FORGOTTEN.during(() -> outcomeOfWhatTheBackupKnows(true)))
        .isInstanceOf(Outcome.Aborted.class);
  }

  /** The primary dies after its backup has heard of the commit, and before its answer. */
  private static Outcome outcomeOfWhatTheBackupKnows(boolean endsBeforeTheFlush) {
    Grid grid = grid();
    Grid.Tx tx = put(grid, "1");
    grid.hold(m -> m.message() instanceof Vote);
    grid.settle();
    grid.crash(1);
    grid.hold(m -> m.message() instanceof Flush);
    grid.install(withoutNode1(2));
    grid.settle();
    assertThat(tx.hasEnded()).isEqualTo(endsBeforeTheFlush);
    grid.letGo();
    assertThat(at(grid, 2)).isEqualTo("1");
    grid.tick();
    grid.settle();
    assertThat(grid.nodes.get(2).status().decisions()).isZero();
    return tx.outcome();
  }

  @Test
  void whatWasRefusedStaysRefused() {
    assertThat(valueOfWhatWasRefused()).isNull();
    assertThat(Mutation.DELEGATE_JUDGES_AGAIN.during(() -> valueOfWhatWasRefused())).isEqualTo("1");
  }

  /** A prepare that was refused comes again when nothing is in its way. */
  private static @Nullable String valueOfWhatWasRefused() {
    Grid grid = grid();
    Grid.Tx inTheWay = grid.begin(2);
    inTheWay.write(grid.key(1, "b"), null);
    inTheWay.write(grid.key(2, "elsewhere"), "0");
    inTheWay.commit();
    grid.hold(m -> m.message() instanceof Vote && m.to() == 2);
    grid.settle();
    Grid.Tx tx = put(grid, "1");
    Grid.InFlight prepare =
        grid.wire.stream().filter(m -> m.message() instanceof Prepare).findFirst().orElseThrow();
    grid.settle();
    grid.timeOut();
    grid.settle();
    assertThat(tx.reason()).isEqualTo(AbortReason.LOCK_TIMEOUT);
    grid.letGo();
    assertThat(inTheWay.outcome()).isInstanceOf(Outcome.Committed.class);
    grid.hand(prepare);
    grid.settle();
    return at(grid, 0);
  }

  @Test
  void whatWaitsIsForgottenInTheNextTopology() {
    assertThat(outcomeOfWhatWaited()).isInstanceOf(Outcome.Aborted.class);
    assertThat(Mutation.DELEGATION_OUTLIVES.during(() -> outcomeOfWhatWaited()))
        .isInstanceOf(Outcome.Committed.class);
  }

  /**
   * The outcome of a transaction that waits for a lock. The lock is free in the next topology,
   * before all flushes have come.
   */
  private static Outcome outcomeOfWhatWaited() {
    Grid grid = grid();
    Grid.Tx inTheWay = grid.begin(2);
    inTheWay.write(grid.key(1, "b"), null);
    inTheWay.write(grid.key(2, "elsewhere"), "0");
    inTheWay.commit();
    grid.hold(m -> m.message() instanceof Vote && m.to() == 2);
    grid.settle();
    Grid.Tx tx = put(grid, "1");
    grid.settle();
    assertThat(tx.hasEnded()).isFalse();
    List<Placement> shards =
        List.of(owners(N0, N1), owners(N1, N2), owners(N2, N0), owners(N0, N1, N2));
    grid.hold(m -> m.message() instanceof Flush && m.to() == 0);
    grid.install(new Topology(2, List.of(N0, N1, N2), shards));
    grid.settle();
    assertThat(inTheWay.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.nodes.get(1).status().shards()).allMatch(s -> s.waiting() == 0);
    grid.letGo();
    assertThat(at(grid, 0)).isNull();
    return tx.outcome();
  }

  @Test
  void whatItsPrimaryKeptBackIsSeenWhenAllHaveHeardOfIt() {
    Grid grid = grid();
    put(grid, "1");
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    // Only node 1 knows it, and the node that it was done for is gone.
    grid.crash(0);
    grid.install(withoutNode0(2));
    grid.wire.removeIf(m -> m.message() instanceof Decide);
    grid.letGo();
    assertThat(at(grid, 1)).isEqualTo("1");
    assertThat(at(grid, 2)).isEqualTo("1");
    assertThat(grid.nodes.get(1).status().shards()).allMatch(ProtocolStatus.Shard::isIdle);
    assertThat(grid.nodes.get(1).status().decisions()).isZero();
    assertThat(grid.nodes.get(2).status().decisions()).isZero();
  }

  @Test
  void anExpelledCoordinatorDoesNotKnowWhatBecameOfIt() {
    Grid grid = grid();
    Grid.Tx tx = put(grid, "1");
    grid.installAt(0, withoutNode0(2));
    assertThat(tx.outcome()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void withTheShardItsOutcomeIsLost() {
    Grid grid = grid();
    Grid.Tx tx = put(grid, "1");
    grid.settle();
    Grid.Tx open = put(grid, "2");
    grid.crash(1);
    grid.crash(2);
    grid.install(
        new Topology(2, List.of(N0), List.of(owners(N0), owners(), owners(N0), owners(N0))));
    grid.settle();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(open.outcome()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void whoGivesUpDoesNotKnowAndHoldsNothing() {
    Grid grid = grid();
    Grid.Tx tx = put(grid, "1");
    List<Effect> effects = new ArrayList<>();
    grid.nodes.get(0).giveUp(tx.handle, 0, effects);
    assertThat(effects).isEmpty();
    assertThat(grid.nodes.get(0).status().transactions()).isZero();
    grid.settle();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.nodes.get(0).drained()).isTrue();
  }

  @Test
  void anAnswerThatWasLostIsAskedForAgain() {
    ProtocolConfig config = Grid.CONFIG.withResendNanos(500);
    Grid grid = new Grid(3, 2, Fences.NONE, config);
    Grid.Tx tx = put(grid, "1");
    grid.hold(m -> m.message() instanceof Vote);
    grid.settle();
    grid.wire.clear();
    grid.timeOut();
    grid.tick();
    grid.letGo();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.nodes.get(1).size(grid.kcl(1)).entries()).isEqualTo(1);
  }
}
