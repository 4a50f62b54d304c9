package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.FlushDone;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The versions that are seen, and dropped, while a flush is under way: with the rule, and with it
 * broken.
 */
final class FlushScenarioTest {
  private static final NodeId N0 = Grid.id(0);
  private static final NodeId N1 = Grid.id(1);
  private static final NodeId N2 = Grid.id(2);
  private static final NodeId N3 = Grid.id(3);
  private static final NodeId N4 = Grid.id(4);

  @Test
  void aNewPrimaryServesAllThatWasKeptBackOrNothing() {
    assertThat(readDuringTheTakeover()).isEqualTo("2");
    assertThat(Mutation.SERVES_TOO_EARLY.during(() -> readDuringTheTakeover())).isNull();
  }

  @Test
  void aTombstoneStaysAsLongAsWhatItHidesMayCome() {
    assertThat(deleteBeforeTheFlush()).isNull();
    assertThat(Mutation.HORIZON_LEAVES_UNDONE.during(() -> deleteBeforeTheFlush())).isEqualTo("1");
  }

  @Test
  void whatOneFlushToldIsNotSeenBeforeAllHaveHeardOfIt() {
    assertThat(readAfterOneFlush()).isNull();
    assertThat(Mutation.FLUSHED_IS_STABLE.during(() -> readAfterOneFlush())).isEqualTo("1");
  }

  @Test
  void aDecisionIsKeptUntilItsCommitHasHadItsTurn() {
    assertThat(decisionsWhileOneWaits()).isEqualTo(1);
    assertThat(Mutation.FORGOTTEN_IN_QUEUE.during(() -> decisionsWhileOneWaits())).isZero();
  }

  /**
   * Node 0 has decided a commit that waits for another one, and its coordinator leaves. Without the
   * decision a disk would have nothing of it.
   */
  private static int decisionsWhileOneWaits() {
    Grid grid = new Grid(3, 2, Fences.NONE);
    CompositeKey key = grid.key(0, "a");
    grid.hold(m -> m.message() instanceof Vote || (m.message() instanceof Decide && m.from() == 2));
    Grid.Tx inTheWay = grid.begin(2);
    inTheWay.write(grid.key(0, "b"), "0");
    inTheWay.write(grid.key(2, "elsewhere"), "0");
    inTheWay.commit();
    grid.settle();
    Grid.Tx waiting = grid.begin(1);
    waiting.write(key, "1");
    waiting.commit();
    grid.settle();
    grid.crash(1);
    grid.install(
        new Topology(
            2, List.of(N0, N2), List.of(owners(N0), owners(N2), owners(N2, N0), owners(N0, N2))));
    grid.settle();
    int decisions = grid.nodes.get(0).status().decisions();

    grid.letGo();
    assertThat(grid.begin(0).get(key)).isEqualTo("1");
    grid.tick();
    grid.settle();
    assertThat(grid.nodes.get(0).status().decisions()).isZero();
    return decisions;
  }

  /** Two may fail at once, and two know the commit: its coordinator and who is read from. */
  private static @Nullable String readAfterOneFlush() {
    Grid grid = new Grid(5, 3, Fences.NONE, Grid.CONFIG.withFailuresAtOnce(2));
    CompositeKey key = grid.key(0, "a");
    Grid.Tx writer = grid.begin(4);
    writer.write(key, "1");
    writer.write(grid.key(4, "elsewhere"), "1");
    writer.commit();
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    grid.hold(m ->
        m.message() instanceof Decide
            || (m.message() instanceof Flush && (m.from() != 4 || m.to() != 0)));
    grid.install(2, 5, 3);
    grid.settle();
    Grid.Tx reader = grid.begin(3);
    long request = reader.ask(new ReadQuery.Get(key));
    grid.settle();
    return Grid.text(((ReadAnswer.Got) reader.answer(request)).value());
  }

  /** The first of node 0's transactions gets the higher number; the other one is read. */
  private static @Nullable String readDuringTheTakeover() {
    Grid grid = new Grid(5, 3, Fences.NONE, Grid.CONFIG.withFailuresAtOnce(2));
    CompositeKey a = grid.key(0, "a");
    CompositeKey b = grid.key(0, "b");
    grid.hold(m -> m.message() instanceof Vote && m.to() == 3);
    Grid.Tx inTheWay = grid.begin(3);
    inTheWay.write(a, "0");
    inTheWay.write(grid.key(3, "elsewhere"), "0");
    inTheWay.commit();
    grid.settle();
    Grid.Tx first = grid.begin(0);
    first.write(a, "1");
    first.commit();
    Grid.Tx second = grid.begin(0);
    second.write(b, "2");
    second.commit();

    // Node 1 hears of both only in the flush.
    grid.hold(m -> m.message() instanceof Decide && m.from() == 0 && m.to() == 1);
    grid.settle();
    grid.crash(0);
    grid.hold(m -> m.message() instanceof FlushDone);
    grid.install(
        new Topology(
            2,
            List.of(N1, N2, N3, N4),
            List.of(
                owners(N1, N2),
                owners(N1, N2, N3),
                owners(N2, N3, N4),
                owners(N3, N4),
                owners(N4, N1),
                owners(N1, N2, N3, N4))));
    Grid.Tx reader = grid.begin(3);
    long request = reader.ask(new ReadQuery.Get(b));
    grid.settle();
    grid.letGo();
    return Grid.text(((ReadAnswer.Got) reader.answer(request)).value());
  }

  /**
   * The value that node 1 has of a key that was deleted before a flush told the node that it was
   * written.
   */
  private static @Nullable String deleteBeforeTheFlush() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    CompositeKey key = grid.key(0, "a");
    Grid.Tx writer = grid.begin(2);
    writer.write(key, "1");
    writer.write(grid.key(2, "elsewhere"), "1");
    writer.commit();
    grid.hold(m -> m.message() instanceof Decide && m.to() == 1);
    grid.settle();
    grid.crash(2);
    grid.hold(m -> m.message() instanceof Flush && m.to() == 1);
    grid.install(ofTwo(2, owners(N0, N1)));
    grid.settle();
    assertThat(grid.put(0, key, null)).isInstanceOf(Outcome.Committed.class);
    for (int i = 0; i < 4; i++) {
      grid.tick();
      grid.settle();
    }
    grid.letGo();
    grid.install(ofTwo(3, owners(N1, N0)));
    grid.settle();
    VersionChain chain = grid.nodes.get(1).view(0).get(key.bytes());
    return chain == null ? null : Grid.text(chain.value());
  }

  private static Topology ofTwo(long id, Placement shard0) {
    List<Placement> shards = List.of(shard0, owners(N1), owners(N0), owners(N0, N1));
    return new Topology(id, List.of(N0, N1), shards);
  }

  private static Placement owners(NodeId... nodes) {
    return new Placement(List.of(nodes), List.of());
  }
}
