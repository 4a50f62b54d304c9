package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The versions and records that a learner must not lose and must not bring back (protocol.md,
 * Joining), where the random runs hardly get: with the rule, and with it broken. Node 2 joins shard
 * 0, of nodes 0 and 1.
 */
final class JoinerScenarioTest {
  @Test
  void aJoinerNamedAgainIsSentTheRecordAgain() {
    assertThat(commitWhileTheJoinerIsDroppedAndNamedAgain()).isEqualTo("1");
  }

  @Test
  void theStateReplacesWhatALateFlushBroughtBack() {
    assertThat(flushAfterTheTombstoneWasDropped()).isNull();
    assertThat(Mutation.STATE_MERGES.during(() -> flushAfterTheTombstoneWasDropped()))
        .isEqualTo("1");
  }

  @Test
  void aJoinerKeepsTombstonesUntilItHasTheState() {
    assertThat(deleteBeforeTheState()).isNull();
    assertThat(Mutation.JOINER_DROPS.during(() -> deleteBeforeTheState())).isEqualTo("0");
  }

  @Test
  void aJoinerNamedAgainTakesNoStateOfBefore() {
    assertThat(stateOfBeforeTheJoinerWasDropped()).isEqualTo("1");
    assertThat(Mutation.STATE_OF_OLD.during(() -> stateOfBeforeTheJoinerWasDropped())).isNull();
  }

  @Test
  void aJoinerMixesNoAnswers() {
    assertThat(stateOfTwoAnswers()).isEqualTo("b");
    assertThat(Mutation.STATE_MIXED.during(() -> stateOfTwoAnswers())).isNull();
  }

  @Test
  void whatTheStateLacksAfterAGapIsOver() {
    assertThat(recordsAfterAGap()).isZero();
    assertThat(Mutation.INHERITED_FOREVER.during(() -> recordsAfterAGap())).isEqualTo(1);
  }

  private static @Nullable String commitWhileTheJoinerIsDroppedAndNamedAgain() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    install(grid, 2, List.of(0, 1), List.of(2));

    // Node 2 stores the record, and the primary's vote is on its way for long.
    grid.hold(m -> m.message() instanceof Message.Vote && m.from() == 0);
    Grid.Tx writer = grid.begin(1);
    writer.write(grid.key(0, "a"), "1");
    writer.write(grid.key(1, "elsewhere"), "1");
    writer.commit();
    grid.settle();
    install(grid, 3, List.of(0, 1), List.of());

    // The state of the new copy has the undecided record, and comes when that is forgotten.
    grid.hold(m -> m.message() instanceof Message.Vote || m.message() instanceof Message.State);
    install(grid, 4, List.of(0, 1), List.of(2));
    assertThat(grid.wire).anyMatch(m -> m.message() instanceof Message.State && m.to() == 2);
    grid.hold(m -> m.message() instanceof Message.State);
    grid.settle();
    assertThat(writer.outcome()).isInstanceOf(Outcome.Committed.class);
    grid.tick();
    grid.settle();
    grid.letGo();
    return valueAtNodeTwo(grid, 5);
  }

  private static @Nullable String flushAfterTheTombstoneWasDropped() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);

    // A one-phase commit is told to node 2 in a flush that takes long.
    grid.hold(m -> m.message() instanceof Message.Decide);
    Grid.Tx writer = grid.begin(0);
    writer.write(grid.key(0, "a"), "1");
    writer.commit();
    grid.settle();
    grid.hold(m -> m.to() == 2 && isFlushOrMark(m.message()));
    install(grid, 2, List.of(0, 1), List.of());
    assertThat(writer.outcome()).isInstanceOf(Outcome.Committed.class);

    // Meanwhile it is done, the key deleted, and the tombstone dropped.
    assertThat(grid.put(0, grid.key(0, "a"), null)).isInstanceOf(Outcome.Committed.class);
    for (int i = 0; i < 4; i++) {
      grid.tick();
      grid.settle();
    }
    assertThat(grid.nodes.get(0).view(0).size()).isZero();
    grid.hold(m -> m.to() == 2 && m.message() instanceof Message.LowWaterMark);
    grid.settle();
    install(grid, 3, List.of(0, 1), List.of(2));
    grid.letGo();
    return valueAtNodeTwo(grid, 4);
  }

  private static boolean isFlushOrMark(Message message) {
    return message instanceof Message.Flush || message instanceof Message.LowWaterMark;
  }

  private static @Nullable String deleteBeforeTheState() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    assertThat(grid.put(0, grid.key(0, "a"), "0")).isInstanceOf(Outcome.Committed.class);

    // The state with the value is on its way, the tombstone overtakes it and falls below the
    // horizon.
    grid.hold(m -> m.message() instanceof Message.State);
    install(grid, 2, List.of(0, 1), List.of(2));
    assertThat(grid.put(0, grid.key(0, "a"), null)).isInstanceOf(Outcome.Committed.class);
    for (int i = 0; i < 4; i++) {
      grid.tick();
      grid.settle();
    }
    assertThat(grid.nodes.get(0).view(0).size()).isZero();
    grid.letGo();
    return valueAtNodeTwo(grid, 3);
  }

  private static @Nullable String stateOfBeforeTheJoinerWasDropped() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    grid.hold(m -> m.message() instanceof Message.State);
    install(grid, 2, List.of(0, 1), List.of(2));
    install(grid, 3, List.of(0, 1), List.of());

    // Node 2 hears nothing of this commit, and not later either, as it is done.
    assertThat(grid.put(0, grid.key(0, "a"), "1")).isInstanceOf(Outcome.Committed.class);
    grid.tick();
    grid.settle();
    install(grid, 4, List.of(0, 1), List.of(2));
    grid.letGo();
    return valueAtNodeTwo(grid, 5);
  }

  private static @Nullable String stateOfTwoAnswers() {
    ProtocolConfig config = new ProtocolConfig(1_000, 1_000, 1 << 20, 60).withResendNanos(500);
    Grid grid = new Grid(3, 2, Fences.NONE, config);
    for (String ku : List.of("a", "b", "c", "d")) {
      assertThat(grid.put(0, grid.key(0, ku), ku)).isInstanceOf(Outcome.Committed.class);
    }
    grid.tick();
    grid.settle();

    // Chunks with a and b, c and d; and when node 2 has asked again a and aa, the rest.
    grid.hold(m -> m.message() instanceof Message.State);
    install(grid, 2, List.of(0, 1), List.of(2));
    assertThat(grid.put(0, grid.key(0, "aa"), "aa")).isInstanceOf(Outcome.Committed.class);
    grid.timeOut();
    grid.tick();
    grid.settle();
    assertThat(chunksOf(grid, 1)).isEqualTo(3);
    assertThat(chunksOf(grid, 2)).isEqualTo(3);
    deliverChunk(grid, 1, 0);
    deliverChunk(grid, 2, 1);
    deliverChunk(grid, 1, 2);
    grid.letGo();
    return valueAtNodeTwo(grid, 3, "b");
  }

  private static int recordsAfterAGap() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    // Shard 1, where the writer writes too, is of nodes 0 and 1 alone.
    grid.install(topology(grid, 2, List.of(0, 1), List.of(), List.of(1, 2), List.of(0)));
    grid.settle();
    List<Integer> both = List.of(1, 0);
    grid.install(topology(grid, 3, List.of(0, 1), List.of(2), both, List.of()));
    grid.settle();

    // Node 2 stores the record, and does not hear that it is aborted, nor of topology 4.
    grid.hold(m -> m.message() instanceof Message.Vote && m.from() == 0);
    Grid.Tx writer = grid.begin(1);
    writer.write(grid.key(0, "a"), "1");
    writer.write(grid.key(1, "elsewhere"), "1");
    writer.commit();
    grid.settle();
    grid.hold(m -> m.message() instanceof Message.Decide && m.to() == 2);
    List<Effect> effects = new ArrayList<>();
    grid.nodes.get(1).giveUp(writer.handle, 0, effects);
    grid.take(1, effects);
    grid.installAt(0, topology(grid, 4, List.of(0, 1), List.of(), both, List.of()));
    grid.installAt(1, topology(grid, 4, List.of(0, 1), List.of(), both, List.of()));
    grid.settle();
    grid.install(topology(grid, 5, List.of(0, 1), List.of(2), both, List.of()));
    grid.settle();
    grid.letGo();
    return grid.nodes.get(2).status().shards().get(0).records();
  }

  private static long chunksOf(Grid grid, long request) {
    return grid.wire.stream()
        .filter(m -> m.message() instanceof Message.State s && s.request() == request)
        .count();
  }

  private static void deliverChunk(Grid grid, long request, int chunk) {
    grid.deliverFirst(m ->
        m.message() instanceof Message.State s && s.request() == request && s.chunk() == chunk);
  }

  private static @Nullable String valueAtNodeTwo(Grid grid, long topology) {
    return valueAtNodeTwo(grid, topology, "a");
  }

  /** The value that node 2 has as the primary. */
  private static @Nullable String valueAtNodeTwo(Grid grid, long topology, String ku) {
    install(grid, topology, List.of(2, 1), List.of());
    VersionChain chain = grid.nodes.get(2).view(0).get(grid.key(0, ku).bytes());
    return chain == null ? null : Grid.text(chain.value());
  }

  /** Installs a topology everywhere, and delivers all that is not held. */
  private static void install(Grid grid, long id, List<Integer> owners, List<Integer> learners) {
    grid.install(topology(grid, id, owners, learners));
    grid.settle();
  }

  private static Topology topology(
      Grid grid, long id, List<Integer> owners, List<Integer> learners) {
    return topology(grid, id, owners, learners, List.of(1, 2), List.of());
  }

  /** Shards 0 and 1 are where it is said. */
  private static Topology topology(
      Grid grid,
      long id,
      List<Integer> owners0,
      List<Integer> joiners0,
      List<Integer> owners1,
      List<Integer> joiners1) {
    List<NodeId> members = ids(List.of(0, 1, 2));
    List<Placement> placements = new ArrayList<>();
    placements.add(new Placement(ids(owners0), ids(joiners0)));
    placements.add(new Placement(ids(owners1), ids(joiners1)));
    for (int shard = 2; shard < grid.shards; shard++) {
      placements.add(new Placement(List.of(Grid.id(shard), Grid.id((shard + 1) % 3)), List.of()));
    }
    placements.add(new Placement(members, List.of()));
    return new Topology(id, members, placements);
  }

  private static List<NodeId> ids(List<Integer> nodes) {
    return nodes.stream().map(Grid::id).toList();
  }
}
