package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A probe of a shard, and what it leaves: nothing that would hold back the horizon. */
final class ShardProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TestGrid grid = TestGrid.standalone(16);
  private final FaultyNode faulty = new FaultyNode(grid.node(0));
  private final EmbeddedCanopy db = grid.faulty(faulty);

  @AfterEach
  void close() {
    assertThat(faulty.running()).as("transactions left").isZero();
    grid.close();
  }

  private void assertProbeEndsWith(ErrorCode code) {
    assertThatThrownBy(() -> db.probe(0, PATIENCE))
        .isInstanceOfSatisfying(CanopyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aShardThatServes() {
    for (int shard = 0; shard < db.shards(); shard++) {
      db.probe(shard, PATIENCE);
    }
  }

  @Test
  void aShardThatRefuses() {
    for (AbortReason reason : new AbortReason[] {AbortReason.LOCK_TIMEOUT, AbortReason.MOVED}) {
      faulty.end(FaultyNode.aborted(reason));
      assertProbeEndsWith(ErrorCode.LOCK_TIMEOUT);
    }
    faulty.end(FaultyNode.aborted(AbortReason.TOPOLOGY_CHANGED));
    assertProbeEndsWith(ErrorCode.LOCK_TIMEOUT);
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
  }
}
