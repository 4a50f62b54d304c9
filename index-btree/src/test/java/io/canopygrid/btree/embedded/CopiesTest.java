package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Each entry is on as many nodes as there are owners, wherever splits have put it. */
final class CopiesTest {
  private static final int ENTRIES = 300;

  @Test
  void everyEntryHasTwoCopies() {
    try (TestGrid grid = TestGrid.network(3, 2, 8, 8)) {
      IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(16);
      Index<Long, Long> index =
          grid.handle(0).index("copied", Codec.int64(), Codec.int64(), options);
      for (long key = 0; key < ENTRIES; key++) {
        long one = key;
        grid.handle(0).run(tx -> tx.on(index).put(one, one));
      }

      grid.awaitQuiet();
      // The backups may have to apply the last commits still.
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      long copies = copies(grid, options);
      while (copies != 2 * ENTRIES && deadlineNanos - System.nanoTime() > 0) {
        LockSupport.parkNanos(1_000_000);
        copies = copies(grid, options);
      }
      assertThat(copies).isEqualTo(2 * ENTRIES);
    }
  }

  private static long copies(TestGrid grid, IndexOptions options) {
    long copies = 0;
    for (int i = 0; i < grid.size(); i++) {
      EmbeddedCanopy handle = grid.handle(i);
      copies += handle.copies(handle.index("copied", Codec.int64(), Codec.int64(), options));
    }
    return copies;
  }
}
