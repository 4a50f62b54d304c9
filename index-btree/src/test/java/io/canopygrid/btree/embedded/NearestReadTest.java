package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads at backups: on three nodes that all have everything. */
@NullUnmarked // values are compared as they are
final class NearestReadTest {
  private static final TransactionOptions NEAREST =
      TransactionOptions.DEFAULTS.withReadFrom(ReadFrom.NEAREST);

  private final TestGrid grid = TestGrid.network(3, 3, 4, 16);

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void costNoRequestWhereNothingWasWrittenForAMoment() {
    Index<Long, Long> index = index(grid.handle(0));
    grid.handle(0).run(tx -> tx.on(index).put(1L, 10L));
    int away = (grid.primaryOf(index, 1) + 1) % grid.size();
    Index<Long, Long> there = index(grid.handle(away));
    assertThat(requestsOf(away, there, TransactionOptions.DEFAULTS)).isEqualTo(1);
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (requestsOf(away, there, NEAREST) > 0) {
      assertThat(System.nanoTime()).as("until a watermark comes").isLessThan(deadlineNanos);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void seeWhatTheirTokenHasSeen() {
    Index<Long, Long> index = index(grid.handle(0));
    for (long i = 1; i <= 200; i++) {
      long value = i;
      Canopy writer = grid.handle((int) (i % 3));
      Index<Long, Long> mine = index(writer);
      writer.run(tx -> tx.on(mine).put(1L, value));
      for (int reader = 0; reader < grid.size(); reader++) {
        Index<Long, Long> theirs = index(grid.handle(reader));
        Long seen =
            grid.handle(reader)
                .<Long, RuntimeException>read(
                    NEAREST.withAfter(writer.token()), tx -> tx.on(theirs).get(1L));
        assertThat(seen).isEqualTo(value);
      }
    }
    assertThat(grid.handle(0).<Long, RuntimeException>read(tx -> tx.on(index).get(1L)))
        .isEqualTo(200);
  }

  private static Index<Long, Long> index(Canopy db) {
    return db.index("numbers", Codec.int64(), Codec.int64());
  }

  /** The remote requests of one read, as the handle counts them. */
  private long requestsOf(int node, Index<Long, Long> index, TransactionOptions options) {
    EmbeddedCanopy db = grid.handle(node);
    long before = db.stats().total().remoteRequests();
    Long seen = db.<Long, RuntimeException>read(options, tx -> tx.on(index).get(1L));
    assertThat(seen).isEqualTo(10);
    return db.stats().total().remoteRequests() - before;
  }
}
