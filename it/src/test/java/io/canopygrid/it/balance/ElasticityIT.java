package io.canopygrid.it.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.StructureChange;
import io.canopygrid.StructureChange.Reason;
import io.canopygrid.btree.check.IndexCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The balance of clusters whose use changes and whose nodes come and go, without a restart, while
 * clients work: none of them sees an abort.
 */
@Tag("alone")
final class ElasticityIT {
  private static final double EVEN = 1.3;
  private static final int HOT = 200;

  /**
   * The most time that is allowed where the load is what it was, and only nodes have come or gone.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void aHotRangeIsFoundSplitAndSpreadInTenSeconds() throws Exception {
    try (Elastic grid = new Elastic(3)) {
      grid.use(random -> random.nextInt(Elastic.KEYS));
      grid.awaitEven(EVEN, PATIENCE);
      grid.use(hotFrom(4_321));
      long millis = grid.awaitEven(EVEN, Duration.ofSeconds(10));
      System.out.println("a hot range is spread after " + millis + " ms");
      List<StructureChange> changes = grid.node().structure("elastic").changes();
      assertThat(changes).anyMatch(change -> change.reason() == Reason.HOT);
      end(grid);
    }
  }

  /** Nine of ten uses are of 200 keys that lie together, by Zipf's law. */
  private static ToLongFunction<Random> hotFrom(int first) {
    Zipf zipf = new Zipf(HOT, 0.99);
    return random ->
        random.nextInt(10) == 0
            ? random.nextInt(Elastic.KEYS)
            : first + scattered(zipf.next(random));
  }

  /** The place of a key among the hot ones by its rank: the most used ones are apart. */
  private static int scattered(int rank) {
    return rank * 37 % HOT;
  }

  /**
   * The hot spot moves as SwitchKV was tested: every 10 s the 200 coldest keys become the hottest.
   */
  @Test
  void aMovingHotSpotIsFollowed() throws Exception {
    try (Elastic grid = new Elastic(3)) {
      Random random = new Random(7);
      for (int spot = 0; spot < 4; spot++) {
        long began = System.nanoTime();
        grid.use(hotFrom(random.nextInt(Elastic.KEYS - HOT)));
        long millis = grid.awaitEven(EVEN, Duration.ofSeconds(10));
        System.out.println("hot spot " + spot + " is spread after " + millis + " ms");
        Thread.sleep(Math.max(0, 10_000 - (System.nanoTime() - began) / 1_000_000));
      }
      end(grid);
    }
  }

  @Test
  void aJoinAndALeaveEndEven() throws Exception {
    try (Elastic grid = new Elastic(2)) {
      grid.use(hotFrom(1_000));
      grid.awaitEven(EVEN, PATIENCE);
      grid.join();
      System.out.println("even after a join and " + grid.awaitEven(EVEN, PATIENCE) + " ms");
      grid.join();
      System.out.println("even after another and " + grid.awaitEven(EVEN, PATIENCE) + " ms");
      grid.leave();
      System.out.println("even after a leave and " + grid.awaitEven(EVEN, PATIENCE) + " ms");
      end(grid);
    }
  }

  @Test
  void anotherNodeGoesOnWhenTheOneThatDecidesLeaves() throws Exception {
    try (Elastic grid = new Elastic(3)) {
      grid.use(random -> random.nextInt(Elastic.KEYS));
      grid.awaitEven(EVEN, PATIENCE);
      grid.leaveOldest();
      grid.use(hotFrom(8_000));
      System.out.println(
          "even after the oldest has left and " + grid.awaitEven(EVEN, PATIENCE) + " ms");
      String left =
          grid.node().structure("elastic").changes().stream()
              .filter(change -> change.reason() == Reason.HOT)
              .map(StructureChange::by)
              .findAny()
              .orElse("");
      assertThat(left).as("who has cut what is hot").isNotEmpty();
      end(grid);
    }
  }

  private static void end(Elastic grid) throws IOException, InterruptedException {
    grid.rest();
    IndexCheck.Report report =
        grid.node().check(Elastic.index(grid.node()), Duration.ofSeconds(30));
    assertThat(report.entries()).isEqualTo(Elastic.KEYS);
    assertThat(grid.operations()).isGreaterThan(1_000);
    assertThat(grid.aborts()).as("aborts that callers were told of").isEmpty();
    System.out.println(report + ", " + grid.operations() + " operations, " + grid.aborts());
  }
}
