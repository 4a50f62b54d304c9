package io.canopygrid.btree.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The figures of a node. */
final class NodeCountsTest {
  private static final int WRITES = 50;

  @Test
  void oldVersionsAreCountedAsLongAsSomebodyMayReadThem() throws InterruptedException {
    try (EmbeddedCanopy node = EmbeddedCanopy.start()) {
      NodeCounts counts = node.served().counts();
      Index<Long, Long> index = node.index("numbers", Codec.int64(), Codec.int64());
      node.run(tx -> tx.on(index).put(1L, 0L));
      try (Transaction reader = node.begin()) {
        reader.on(index).get(1L);
        for (long i = 1; i <= WRITES; i++) {
          long value = i;
          node.run(tx -> tx.on(index).put(1L, value));
        }
        assertThat(counts.olderVersions()).isGreaterThanOrEqualTo(WRITES);
      }
      long patienceEndsNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (counts.olderVersions() > WRITES / 2 && System.nanoTime() < patienceEndsNanos) {
        node.run(tx -> tx.on(index).put(1L, 0L));
        Thread.sleep(50);
      }
      assertThat(counts.olderVersions()).isBetween(0L, WRITES / 2L);
    }
  }

  @Test
  void aGridThatIsFoundedIsAtTheHighestLevel() {
    try (EmbeddedCanopy node = EmbeddedCanopy.start()) {
      NodeCounts counts = node.served().counts();
      assertThat(counts.gridLevel()).isPositive().isEqualTo(counts.highestLevel());
    }
  }
}
