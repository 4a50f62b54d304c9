package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.spi.Fences;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A transaction that is prepared again, under a new id, after an attempt that was refused. */
final class CommitAgainTest {
  private final Grid grid = new Grid(3, 1, Fences.NONE);

  @Test
  void isNotInItsOwnWay() {
    assertThat(grid.put(0, grid.key(1, "a"), "old")).isInstanceOf(Outcome.Committed.class);
    Grid.Tx tx = refusedAtShard2();

    // The abort of the first attempt is slow to reach shard 1, where that holds the lock of "a".
    grid.hold(m -> m.to() == 1 && m.message() instanceof Decide);
    grid.settle();
    tx.commit();
    grid.settle();
    assertThat(grid.wire).noneMatch(m -> m.message() instanceof Prepare);
    assertThat(tx.reason()).as("no new outcome yet").isEqualTo(AbortReason.LOCK_TIMEOUT);

    grid.letGo();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(0).get(grid.key(1, "a"))).isEqualTo("new");
    assertThat(grid.begin(0).get(grid.key(2, "b"))).isEqualTo("new");
  }

  @Test
  void isForgottenWhereItsCallerGivesUp() {
    assertThat(grid.put(0, grid.key(1, "a"), "old")).isInstanceOf(Outcome.Committed.class);
    Grid.Tx tx = refusedAtShard2();
    tx.commit();
    tx.end();
    grid.letGo();
    assertThat(tx.reason()).isEqualTo(AbortReason.LOCK_TIMEOUT);
    assertThat(grid.begin(0).get(grid.key(1, "a"))).isEqualTo("old");
    assertThat(grid.nodes.get(0).status().shards()).allMatch(ProtocolStatus.Shard::isIdle);
  }

  /** Has read and would write a key of shard 1; a lock at shard 2 was not free in time. */
  private Grid.Tx refusedAtShard2() {
    Grid.Tx other = grid.begin(2);
    other.write(grid.key(2, "b"), "other");
    other.write(grid.key(0, "c"), "other");
    other.commit();
    Predicate<Grid.InFlight> ofOther =
        m -> m.from() == 2 && m.to() == 0 && m.message() instanceof Prepare;

    Grid.Tx tx = grid.begin(0);
    grid.hold(ofOther);
    tx.get(grid.key(1, "a"));
    tx.write(grid.key(1, "a"), "new");
    tx.write(grid.key(2, "b"), "new");
    tx.commit();
    grid.settle();
    grid.timeOut();
    grid.hold(m -> ofOther.test(m) || (m.to() == 1 && m.message() instanceof Decide));
    grid.settle();
    assertThat(tx.reason()).isEqualTo(AbortReason.LOCK_TIMEOUT);
    return tx;
  }
}
