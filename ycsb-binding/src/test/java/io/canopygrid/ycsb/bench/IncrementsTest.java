package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import org.junit.jupiter.api.Test;

final class IncrementsTest {
  @Test
  void everyClientIsCountedAndNoIncrementIsLost() throws BenchFailure {
    try (Canopy db = EmbeddedCanopy.start()) {
      Increments increments = new Increments(db, Primary.HERE, 0.2);

      for (Increments.Way way : Increments.Way.values()) {
        Increments.Run alone = increments.alone(way, 3);
        Increments.Run together = increments.together(way, 4);

        assertThat(alone.commits()).hasSize(1);
        assertThat(alone.leastShare()).isEqualTo(1);
        assertThat(together.commits()).hasSize(4);
        assertThat(together.perSecond()).isPositive();
        assertThat(together.leastShare()).isBetween(0.0, 1.0);
        assertThat(together.requestsPerCommit()).isZero();
      }
      increments.requireComplete();

      Index<Long, Long> index = db.index(db.indexes().get(0), Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(index).put(0L, 0L));
      assertThatThrownBy(increments::requireComplete)
          .isInstanceOf(BenchFailure.class)
          .hasMessageContaining("the counters have");
    }
  }

  @Test
  void oneNodeHasNoPrimaryElsewhere() {
    try (Canopy db = EmbeddedCanopy.start()) {
      assertThatThrownBy(() -> new Increments(db, Primary.ELSEWHERE, 0.2))
          .isInstanceOf(BenchFailure.class)
          .hasMessageContaining("has its primary elsewhere");
    }
  }
}
