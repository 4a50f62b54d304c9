package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReadQuery.Turn;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.spi.Fences;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes that follow a decided one of the same key (protocol.md, Writes that follow). */
final class FollowingWritesScenarioTest {
  private final Grid grid = new Grid(3, 2, Fences.NONE);

  /** Of the shard whose primary is node 0, and whose backup is node 1. */
  private final CompositeKey hot = grid.key(0, "hot");

  private final CompositeKey other = grid.key(0, "other");

  private Grid.Tx put(String value) {
    return put(hot, value);
  }

  private Grid.Tx put(CompositeKey key, String value) {
    Grid.Tx tx = grid.begin(0);
    tx.write(key, value);
    tx.commit();
    grid.settle();
    return tx;
  }

  /** The decisions whose acknowledgements are held back. */
  private long decided() {
    return grid.wire.stream().filter(m -> m.message() instanceof Ack).count();
  }

  private void holdAcks() {
    grid.hold(m -> m.message() instanceof Ack);
  }

  @Test
  void doNotWaitUntilItIsApplied() {
    grid.put(0, hot, "0");
    holdAcks();
    List<Grid.Tx> all = List.of(put("1"), put("2"), put("3"));
    assertThat(decided()).isEqualTo(3);
    assertThat(all).noneMatch(Grid.Tx::hasEnded);
    assertThat(grid.begin(0).get(hot)).isEqualTo("0");
    grid.letGo();
    VectorClock before = VectorClock.ZERO;
    for (Grid.Tx tx : all) {
      VectorClock clock = ((Outcome.Committed) tx.outcome()).clock();
      assertThat(clock.get(0)).isGreaterThan(before.get(0));
      assertThat(before.join(clock)).isEqualTo(clock);
      before = clock;
    }
    assertThat(grid.begin(0).get(hot)).isEqualTo("3");
    assertThat(grid.nodes.get(0).status().shards()).allMatch(shard -> shard.locked() == 0);
  }

  /** Acknowledgements come in any order, and a later write is not seen before an earlier one. */
  @Test
  void areAppliedInTheirOrder() {
    grid.put(0, hot, "0");
    holdAcks();
    Grid.Tx first = put("1");
    Grid.Tx second = put("2");
    List<Grid.InFlight> acks = grid.wire.stream().filter(m -> m.message() instanceof Ack).toList();
    grid.deliver(acks.get(1));
    assertThat(grid.begin(0).get(hot)).isEqualTo("0");
    assertThat(second.hasEnded()).isFalse();
    grid.deliver(acks.get(0));
    grid.letGo();
    assertThat(first.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
  }

  @Test
  void doNotOvertakeWhatWaits() {
    grid.put(0, hot, "0");
    Grid.Tx counting = grid.begin(0);
    counting.get(hot);
    holdAcks();
    put("1");
    counting.write(hot, "counted");
    counting.commit();
    grid.settle();
    Grid.Tx behind = put("2");
    assertThat(decided()).isEqualTo(1);
    grid.letGo();
    assertThat(counting.reason()).isEqualTo(AbortReason.STALE_READ);
    assertThat(behind.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
  }

  @Test
  void doNotOvertakeATurn() {
    grid.put(0, hot, "0");
    holdAcks();
    put("1");
    Grid.Tx counting = grid.begin(0);
    long request = counting.ask(new ReadQuery.Get(hot, Turn.OWN));
    grid.settle();
    assertThat(grid.answers).doesNotContainKey(request);
    put("2");
    assertThat(decided()).isEqualTo(1);
    grid.letGo();
    assertThat(grid.answers).containsKey(request);
    counting.end();
    grid.settle();
  }

  /** A commit of two shards could still have been aborted, and both have waited for it. */
  @Test
  void goOnTogetherBehindOneThatHasWaited() {
    grid.put(0, hot, "0");
    Grid.Tx both = grid.begin(2);
    both.write(hot, "both");
    both.write(grid.key(1, "far"), "both");
    grid.hold(m -> m.message() instanceof Decide && m.from() == 2);
    both.commit();
    grid.settle();
    Grid.Tx first = put("1");
    Grid.Tx second = put("2");
    Grid.Tx third = put(other, "3");
    assertThat(List.of(first, second)).noneMatch(Grid.Tx::hasEnded);
    assertThat(third.hasEnded()).isFalse(); // commits are applied in the order of their numbers
    grid.hold(m -> m.message() instanceof Ack ack && !ack.tid().coordinator().equals(Grid.id(2)));
    grid.settle();
    assertThat(both.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(decided()).isEqualTo(2);
    grid.letGo();
    assertThat(List.of(first, second, third)).allMatch(Grid.Tx::hasEnded);
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
  }

  /** Nobody has seen it, and what has followed it is known to the backup. */
  @Test
  void outliveAFollowedOneThatIsLostWithItsPrimary() {
    grid.put(0, hot, "0");
    grid.hold(m -> m.message() instanceof Decide);
    Grid.Tx lost = put("1");
    Grid.Tx kept = put("2");
    assertThat(grid.wire).hasSize(2);
    grid.hold(m -> m.message() instanceof Ack);
    grid.wire.remove(0);
    grid.settle();
    assertThat(List.of(lost, kept)).noneMatch(Grid.Tx::hasEnded);
    grid.crash(0);
    grid.hold(m -> false);
    grid.expel(2, 0);
    grid.settle();
    assertThat(grid.begin(1).get(hot)).isEqualTo("2");
    assertThat(grid.begin(2).get(hot)).isEqualTo("2");
    grid.put(2, hot, "3");
    assertThat(grid.begin(1).get(hot)).isEqualTo("3");
  }

  @Test
  void doNotFollowWhereTheKeyWasRead() {
    grid.put(0, hot, "0");
    Grid.Tx reading = grid.begin(0);
    reading.scan(hot.kcl(), "", null);
    holdAcks();
    put("1");
    reading.write(hot, "2");
    reading.commit();
    grid.settle();
    assertThat(decided()).isEqualTo(1);
    grid.letGo();
    assertThat(reading.reason()).isEqualTo(AbortReason.STALE_READ);
  }
}
