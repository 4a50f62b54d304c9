package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.Change;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction that runs for longer than {@code cluster.snapshotAgeMax} ends as too old. */
@NullUnmarked // values are compared as they are
final class SnapshotAgeTest {
  private static final ProtocolConfig SHORT =
      ProtocolConfig.DEFAULT.withSnapshotAgeMaxNanos(TimeUnit.SECONDS.toNanos(2));

  /** The time of a transaction, which is to end by its age, is over much later than that. */
  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofMinutes(1));

  private EmbeddedCanopy db;
  private Index<Long, Long> index;

  @BeforeEach
  void start() {
    GmuNode node =
        StandaloneNode.start(
            new ShardMap(8),
            new NodeSettings(SHORT, 10, 1_000),
            BPlusTree.factory(16),
            new SubtreeFences());
    db = EmbeddedCanopy.of(node, SplitLimits.DEFAULT);
    index = db.index("aged", Codec.int64(), Codec.int64());
    db.run(tx -> tx.on(index).put(1L, 10L));
  }

  @AfterEach
  void stop() {
    db.close();
  }

  @Test
  void aReaderIsToldAtItsNextRead() {
    try (Transaction tx = db.begin(PATIENT)) {
      awaitTooOld(tx);
      CanopyException again = Errors.of(ErrorCode.SNAPSHOT_TOO_OLD, () -> tx.on(index).count());
      assertThat(again.detail()).contains("cluster.snapshotAgeMax");
    }
    assertThat(db.<Long, RuntimeException>read(tx -> tx.on(index).get(1L))).isEqualTo(10L);
  }

  @Test
  void aWriterDoesNotCommit() {
    try (Transaction tx = db.begin(PATIENT)) {
      tx.on(index).put(1L, 12L);
      awaitTooOldElsewhere();
      Errors.of(ErrorCode.SNAPSHOT_TOO_OLD, tx::commit);
    }
    assertThat(db.<Long, RuntimeException>read(tx -> tx.on(index).get(1L))).isEqualTo(11L);
  }

  @Test
  void aNamedSnapshotIsReadForAsLongAsItIsThere() {
    db.snapshot("night");
    Long seen =
        db.<Long, RuntimeException>read(
            PATIENT.at("night"),
            tx -> {
              assertThat(tx.on(index).get(2L)).isNull();
              awaitTooOldElsewhere();
              return tx.on(index).get(1L);
            });
    assertThat(seen).isEqualTo(10L);
  }

  /** A feed that is read on keeps its place however long nothing happens. */
  @Test
  void aFeedThatIsReadOnLosesNothing() {
    try (ChangeFeed<Long, Long> feed = db.changes(index, FeedOptions.fromNow())) {
      CompletableFuture<ChangeSet<Long, Long>> next =
          CompletableFuture.supplyAsync(() -> nextAfter(feed, 10L));
      awaitTooOld();
      db.run(tx -> tx.on(index).put(1L, 11L));
      assertThat(next.join().changes()).containsExactly(new Change<>(1L, 10L, 11L));
    }
  }

  /** A feed may tell what was committed right before it was opened. */
  private static ChangeSet<Long, Long> nextAfter(ChangeFeed<Long, Long> feed, long value) {
    ChangeSet<Long, Long> next = feed.next(Duration.ofMinutes(1));
    while (next != null && next.changes().get(0).after() == value) {
      next = feed.next(Duration.ofMinutes(1));
    }
    return next;
  }

  /** A feed that is not read keeps nothing for longer than a transaction does. */
  @Test
  void aFeedThatIsNotReadIsTold() {
    try (ChangeFeed<Long, Long> feed = db.changes(index, FeedOptions.fromNow())) {
      FeedPosition position = feed.position();
      awaitTooOldElsewhere();
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (isKept(position)) {
        assertThat(deadlineNanos - System.nanoTime()).as("time left").isPositive();
        db.run(tx -> tx.on(index).put(1L, 12L));
      }
      Errors.of(ErrorCode.CHANGES_LOST, () -> feed.next(Duration.ZERO));
    }
  }

  private boolean isKept(FeedPosition position) {
    try (ChangeFeed<Long, Long> feed = db.changes(index, FeedOptions.after(position))) {
      feed.next(Duration.ZERO);
      return true;
    } catch (CanopyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CHANGES_LOST);
      return false;
    }
  }

  private void awaitTooOld() {
    try (Transaction tx = db.begin(PATIENT)) {
      awaitTooOld(tx);
    }
  }

  /** Waits until a transaction that began now is too old: all that began before are so too. */
  private void awaitTooOldElsewhere() {
    CompletableFuture.runAsync(
            () -> {
              try (Transaction tx = db.begin(PATIENT)) {
                awaitTooOld(tx);
              }
              db.run(tx -> tx.on(index).put(1L, 11L));
            })
        .join();
  }

  private void awaitTooOld(Transaction tx) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    // A key that was read is remembered; each time another one is read.
    for (long key = 2; ; key++) {
      try {
        assertThat(tx.on(index).get(key)).isNull();
      } catch (CanopyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
        return;
      }
      assertThat(deadlineNanos - System.nanoTime()).as("time left").isPositive();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
