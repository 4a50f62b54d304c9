package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.NodeSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A probe of a shard leaves nothing that would hold back the horizon. */
final class ShardProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Outcomes after which the transaction could commit again. */
  private static final Set<AbortReason> REFUSALS =
      EnumSet.of(AbortReason.LOCK_TIMEOUT, AbortReason.MOVED, AbortReason.TOPOLOGY_CHANGED);

  private final TestGrid grid = TestGrid.standalone(16);
  private final FaultyNode faulty = new FaultyNode(grid.node(0));
  private final EmbeddedCanopy db = grid.faulty(faulty);

  @AfterEach
  void close() {
    grid.close();
  }

  /** A transaction that was left open would be older at each look. */
  private void assertNothingLeft() {
    long tickNanos = TimeUnit.MILLISECONDS.toNanos(NodeSettings.DEFAULT.tickMillis());
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    for (int quiet = 0; quiet < 5; quiet = faulty.oldestTransactionNanos() == 0 ? quiet + 1 : 0) {
      assertThat(System.nanoTime()).as("until nothing is left").isLessThan(deadlineNanos);
      LockSupport.parkNanos(tickNanos);
    }
  }

  private void assertProbeEndsWith(ErrorCode code) {
    assertThatThrownBy(() -> db.probe(0, PATIENCE))
        .isInstanceOfSatisfying(CanopyException.class, e -> assertThat(e.code()).isEqualTo(code));
    assertNothingLeft();
  }

  @Test
  void aShardThatServes() {
    for (int shard = 0; shard < db.shards(); shard++) {
      db.probe(shard, PATIENCE);
    }
  }

  @Test
  void aShardThatRefuses() {
    for (AbortReason reason : REFUSALS) {
      faulty.end(FaultyNode.aborted(reason));
      assertProbeEndsWith(ErrorCode.LOCK_TIMEOUT);
    }
  }

  @Test
  void aShardThatNobodyHas() {
    faulty.answer(query -> new ReadAnswer.Unavailable(0));
    assertProbeEndsWith(ErrorCode.SHARD_UNAVAILABLE);
  }

  @Test
  void aReadThatGoesWrong() {
    faulty.answer(query -> {
      throw new IllegalStateException("wrong");
    });
    assertThatThrownBy(() -> db.probe(0, PATIENCE)).isInstanceOf(IllegalStateException.class);
    assertNothingLeft();
  }
}
