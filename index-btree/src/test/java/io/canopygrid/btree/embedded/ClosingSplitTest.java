package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.control.ChangeLog;
import io.canopygrid.btree.control.ChangeRuns;
import io.canopygrid.btree.control.Controller;
import io.canopygrid.btree.control.CutOffPolicy;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A split whose node has gone after its first step. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class ClosingSplitTest {
  private static final long ENTRIES = 8;
  private static final long MID = 4;

  private final TestGrid grid = TestGrid.network(3, 2, 12, 16);
  private final List<Index<Long, String>> indexes = new ArrayList<>();

  ClosingSplitTest() throws TimeoutException {
    for (int i = 0; i < grid.size(); i++) {
      indexes.add(
          grid.handle(i)
              .index(
                  "closing",
                  Codec.int64(),
                  Codec.string(),
                  IndexOptions.DEFAULTS.withSubtreeEntriesMax((int) ENTRIES)));
    }
    grid.handle(0)
        .run(tx -> {
          for (long key = 0; key < ENTRIES; key++) {
            tx.on(indexes.get(0)).put(key, "v" + key);
          }
        });
    leaveClosing();
  }

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void readsAndWritesBelowGoOn() {
    grid.handle(1)
        .run(
            after(),
            tx -> {
              assertThat(tx.on(indexes.get(1)).get(ENTRIES - 1)).isEqualTo("v7");
              assertThat(tx.on(indexes.get(1)).count()).isEqualTo(ENTRIES);
              tx.on(indexes.get(1)).put(1L, "below");
            });
    assertThat(report().closing()).as("nobody had a reason to finish it").isEqualTo(1);
  }

  @Test
  void whoeverWritesAboveFinishesIt() {
    try (Transaction tx = grid.handle(2).begin(after())) {
      assertThat(tx.on(indexes.get(2)).get(5L)).isEqualTo("v5");
      tx.on(indexes.get(2)).put(6L, "above");
      tx.commit();
    }
    assertThat(report()).isEqualTo(new IndexCheck.Report(2, ENTRIES, 4, 0));
    assertThat(grid.handle(2).stats().total().aborts()).isEmpty();
    grid.awaitQuiet(); // the split is counted after the commit that the writer waits for
    assertThat(grid.handle(2).stats().byIndex().get("closing").splits()).isEqualTo(1);
  }

  /** Looks a second time: the first look may have met the split half done. */
  @Test
  void whereNobodyWritesTheNodeThatServesItFinishesIt() throws TimeoutException {
    List<Controller> controllers = new ArrayList<>();
    for (int i = 0; i < grid.size(); i++) {
      controllers.add(controller(i));
    }
    for (Controller controller : controllers) {
      controller.round();
    }
    assertThat(report().closing()).isEqualTo(1);
    for (Controller controller : controllers) {
      controller.round();
    }
    grid.awaitQuiet();
    assertThat(report()).isEqualTo(new IndexCheck.Report(2, ENTRIES, 4, 0));
  }

  /** A transaction that changes nothing else. */
  private Controller controller(int i) {
    GmuNode node = grid.node(i);
    Reshaping reshaping = grid.handle(i).reshaping();
    BalanceLimits limits = BalanceLimits.OFF;
    return new Controller(
        node,
        new LoadRecorder(node, bound -> 0, limits.memorySeconds()),
        List::of,
        reshaping,
        new ChangeRuns(reshaping, node.threads(), limits, new ChangeLog()),
        new CutOffPolicy(limits),
        limits);
  }

  @Test
  void manyWhoWriteAboveFinishItOnce() throws InterruptedException {
    Workers workers = new Workers();
    for (int i = 0; i < grid.size(); i++) {
      int at = i;
      workers.add(() -> {
        try (Transaction tx = grid.handle(at).begin(after())) {
          tx.on(indexes.get(at)).put(MID + at, "by " + at);
          tx.commit();
        }
      });
    }
    workers.join("closing");
    assertThat(report()).isEqualTo(new IndexCheck.Report(2, ENTRIES, 4, 0));
  }

  @Test
  void theNextGrowthFinishesItToo() {
    grid.handle(0)
        .run(
            after(),
            tx -> {
              for (long key = -20; key < 0; key++) {
                tx.on(indexes.get(0)).put(key, "v" + key);
              }
            });
    grid.awaitQuiet();
    IndexCheck.Report report = report();
    assertThat(report.closing()).isZero();
    assertThat(report.entries()).isEqualTo(ENTRIES + 20);
    assertThat(report.largest()).isLessThanOrEqualTo(ENTRIES);
  }

  /** Does the first step of a split, and no more. */
  private void leaveClosing() throws TimeoutException {
    long kcl = grid.subtreeOf(0, indexes.get(0), 0L);
    CompositeKey header = CompositeKey.header(kcl);
    GmuTransaction tx =
        grid.node(0)
            .begin(
                grid.handle(0).token().clock(), System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    ReadAnswer.Got got = (ReadAnswer.Got) tx.read(new ReadQuery.Get(header));
    byte[] closing =
        SubtreeHeader.decode(got.value())
            .withClosing(new Closing(Closing.To.NEW, Codec.int64().encode(MID)))
            .encode();
    Outcome outcome =
        tx.commit(
            new Footprint(
                List.of(new KeyRead(header, got.seen())),
                List.of(),
                List.of(new Write(header, closing, null))),
            "gone");
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
  }

  private TransactionOptions after() {
    return TransactionOptions.DEFAULTS
        .withTimeout(Duration.ofSeconds(30))
        .withAfter(grid.handle(0).token());
  }

  private IndexCheck.Report report() {
    grid.handle(0)
        .read(
            TransactionOptions.DEFAULTS.withAfter(
                grid.handle(1).token().join(grid.handle(2).token())),
            tx -> null);
    return grid.handle(0).check(indexes.get(0), Duration.ofSeconds(10));
  }
}
