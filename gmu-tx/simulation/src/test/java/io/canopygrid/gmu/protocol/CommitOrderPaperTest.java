package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.Fences;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** In which order commits become visible (protocol.md, Decide, and Why 3). */
final class CommitOrderPaperTest {
  private final Grid grid = new Grid(3, 1, Fences.NONE);
  private final CompositeKey a = grid.key(0, "a");
  private final CompositeKey c = grid.key(0, "c");
  private final CompositeKey b = grid.key(1, "b");

  private String peek(CompositeKey key) {
    return peek(grid, key);
  }

  private static String peek(Grid g, CompositeKey key) {
    ReadQuery.Get query = new ReadQuery.Get(key);
    VectorClock zero = VectorClock.ZERO;
    LocalRead read = g.nodes.get(0).tryRead(1, query, zero, ShardSet.EMPTY);
    assertThat(read).isNotNull();
    String value = Grid.text(((ReadAnswer.Got) read.answer()).value());
    return value == null ? "none" : value;
  }

  private boolean isDecideFor(Grid.InFlight m, Grid.Tx tx) {
    return m.message() instanceof Decide && m.from() == tx.node;
  }

  @Test
  void aCommitWaitsForWhatWasProposedBeforeIt() {
    Grid.Tx first = grid.begin(1);
    first.write(a, "1");
    first.write(b, "1");
    first.commit();
    grid.hold(m -> isDecideFor(m, first));
    grid.settle();
    Grid.Tx second = grid.begin(2);
    second.write(c, "2");
    second.commit();
    grid.settle();
    assertThat(second.hasEnded()).isFalse();
    assertThat(peek(c)).isEqualTo("none");
    grid.letGo();
    assertThat(peek(a) + peek(c)).isEqualTo("12");
    assertThat(second.outcome()).isInstanceOf(Outcome.Committed.class);
  }

  /**
   * The first is proposed 1 and the second 2 in shard 0; the second's clock is merged in shard 1
   * before the first is voted for there, so the first commits at 2 too.
   */
  @Test
  void tiesAreVisibleTogetherOrNotAtAll() {
    Grid.Tx first = grid.begin(2);
    first.write(a, "1");
    first.write(b, "1");
    first.commit();
    // In shard 0 the first one is proposed 1; its prepare at shard 1 is late.
    grid.hold(m -> m.message() instanceof Prepare && m.from() == 2 && m.to() == 1);
    grid.settle();
    Grid.Tx second = grid.begin(1);
    second.get(grid.key(1, "other"));
    second.write(c, "2");
    second.commit();
    // The second is proposed 2 in shard 0, merged in shard 1, and waits in shard 0 for the first.
    grid.settle();
    assertThat(second.hasEnded()).isFalse();
    assertThat(peek(c)).isEqualTo("none");
    // Now the first votes in shard 1 with what was merged there: it commits at 2 as well.
    grid.hold(m -> isDecideFor(m, first) && m.to() == 0);
    grid.settle();
    assertThat(peek(a) + peek(c)).isEqualTo("nonenone");
    grid.deliverFirst(m -> isDecideFor(m, first) && m.to() == 0);
    assertThat(peek(a) + peek(c)).isEqualTo("12");
    grid.letGo();
    VectorClock c1 = ((Outcome.Committed) first.outcome()).clock();
    VectorClock c2 = ((Outcome.Committed) second.outcome()).clock();
    assertThat(c1.get(0)).isEqualTo(c2.get(0));
  }

  @Test
  void aTieIsNotShownWhileOneOfItIsPending() {
    assertThat(peekInTheMiddleOfATie(grid)).isEqualTo("nonenone");
    assertThat(
            Mutation.TIE_BY_ID.during(
                () -> peekInTheMiddleOfATie(new Grid(3, 1, Fences.NONE, Grid.CONFIG))))
        .isEqualTo("1none");
  }

  /** As before, but the second one's decision reaches shard 0 last. */
  private String peekInTheMiddleOfATie(Grid g) {
    Grid.Tx first = g.begin(2);
    first.write(a, "1");
    first.write(b, "1");
    first.commit();
    g.hold(m -> m.message() instanceof Prepare p && p.record().tid().counter() == 1 && m.to() == 1);
    g.settle();
    Grid.Tx second = g.begin(2);
    second.reads.add(new KeyRead(g.key(1, "other"), Seen.ABSENT));
    second.write(c, "2");
    second.commit();
    Predicate<Grid.InFlight> late =
        m -> m.message() instanceof Decide d && d.decision().tid().counter() == 2 && m.to() == 0;
    g.hold(m -> late.test(m) || (m.message() instanceof Prepare && m.to() == 1));
    g.deliverFirst(m -> m.message() instanceof Prepare p && p.record().tid().counter() == 2);
    g.deliverFirst(m ->
        m.message() instanceof Prepare p
            && p.record().tid().counter() == 2
            && p.record().shard() == 1);
    g.settle();
    g.hold(late);
    g.settle();
    String seen = peek(g, a) + peek(g, c);
    g.letGo();
    VectorClock c1 = ((Outcome.Committed) first.outcome()).clock();
    VectorClock c2 = ((Outcome.Committed) second.outcome()).clock();
    assertThat(c1.get(0)).isEqualTo(c2.get(0));
    assertThat(peek(g, a) + peek(g, c)).isEqualTo("12");
    return seen;
  }

  @Test
  void aReaderOfAnOverwrittenKeyIsOrderedBeforeTheOverwriter() {
    Grid.Tx reader = grid.begin(2);
    reader.get(a);
    reader.write(b, "read a before");
    assertThat(reader.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.put(1, a, "2")).isInstanceOf(Outcome.Committed.class);
    // A transaction that sees the overwriting must see what the reader wrote: the reader's clock
    // was merged in shard 0.
    Grid.Tx observer = grid.begin(2);
    assertThat(observer.get(a)).isEqualTo("2");
    VectorClock read = ((Outcome.Committed) reader.outcome()).clock();
    assertThat(read.precedesOrEquals(observer.clock)).isTrue();
    assertThat(observer.get(b)).isEqualTo("read a before");
  }

  @Test
  void anotherNodeMustKnowADecisionBeforeItsCoordinatorShowsIt() {
    Grid pair = new Grid(3, 2, Fences.NONE);
    CompositeKey key = pair.key(0, "a");
    Grid.Tx tx = pair.begin(0);
    tx.write(key, "1");
    tx.commit();
    assertThat(pair.wire).singleElement().matches(m -> m.message() instanceof Decide);
    pair.hold(m -> m.message() instanceof Decide);
    assertThat(pair.begin(0).get(key)).isNull();
    assertThat(tx.hasEnded()).isFalse();
    pair.letGo();
    assertThat(pair.begin(0).get(key)).isEqualTo("1");
    assertThat(tx.ended()).matches(e -> e != null && e.onePhase());
  }
}
