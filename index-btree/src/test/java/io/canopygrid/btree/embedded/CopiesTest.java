package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
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

      // Splits may still be under way; each commit gives them time.
      for (int i = 0; i < 1_000 && copies(grid, options) != 2 * ENTRIES; i++) {
        grid.handle(0).run(tx -> tx.on(index).put(0L, 0L));
      }
      assertThat(copies(grid, options)).isEqualTo(2 * ENTRIES);
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
