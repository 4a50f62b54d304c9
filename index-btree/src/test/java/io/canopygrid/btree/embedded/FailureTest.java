package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.TxId;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers see failures of the node as coded errors. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class FailureTest {
  private final TestGrid grid = TestGrid.standalone(64);
  private final FaultyNode node = new FaultyNode(grid.node(0));
  private final EmbeddedCanopy db = grid.faulty(node);
  private final Index<Long, String> index = db.index("faults", Codec.int64(), Codec.string());

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void anUnknownOutcomeIsNotTriedAgain() {
    AtomicInteger runs = new AtomicInteger();
    node.end(new Outcome.Unknown());
    CanopyException e =
        Errors.of(
            ErrorCode.COMMIT_UNKNOWN,
            () ->
                db.run(tx -> {
                  runs.incrementAndGet();
                  tx.on(index).put(1L, "a");
                }));
    assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN);
    assertThat(e.retryable()).isFalse();
    assertThat(e.transactionId()).isNotNull();
    assertThat(runs).hasValue(1);
  }

  @Test
  void aChangeOfTopologyIsNotSeenByTheBody() {
    AtomicInteger runs = new AtomicInteger();
    Outcome changed = FaultyNode.aborted(AbortReason.TOPOLOGY_CHANGED);
    node.end(changed, changed, changed, changed, changed, changed);
    db.run(tx -> {
      runs.incrementAndGet();
      tx.on(index).compute(1L, (k, v) -> "a");
    });
    assertThat(runs).hasValue(1);
    assertThat(db.stats().total().aborts()).isEmpty();
  }

  @Test
  void aHeadersLockIsWaitedForAsLongAsItTakes() {
    Outcome locked = lockTimeout(CompositeKey.header(77));
    node.end(locked, locked, locked, locked, locked, locked);
    try (Transaction tx = db.begin()) {
      tx.on(index).put(1L, "a");
      tx.commit();
    }
    assertThat(db.stats().total().aborts()).isEmpty();
  }

  @Test
  void anotherLockIsWaitedForThreeTimesMore() {
    Outcome locked = lockTimeout(EntryKeys.of(77, Codec.int64().encode(1L)));
    node.end(locked, locked, locked);
    try (Transaction tx = db.begin()) {
      tx.on(index).put(1L, "a");
      tx.commit();
    }
    node.end(locked, locked, locked, locked);
    try (Transaction tx = db.begin()) {
      tx.on(index).put(1L, "a");
      CanopyException e = Errors.of(ErrorCode.LOCK_TIMEOUT, tx::commit);
      assertThat(e.detail())
          .contains("key 1 of index 'faults'")
          .contains("n9:3")
          .contains("'nightly report'");
      assertThat(e.retryable()).isTrue();
    }
  }

  @Test
  void aConflictNamesTheOthersLabel() {
    CompositeKey key = EntryKeys.of(77, Codec.int64().encode(5L));
    TxId other = new TxId(new NodeId(9), 3);
    node.end(new Outcome.Aborted(AbortReason.STALE_READ, key, other, "billing", null));
    try (Transaction tx = db.begin()) {
      tx.on(index).compute(5L, (k, v) -> "a");
      CanopyException e = Errors.of(ErrorCode.WRITE_CONFLICT, tx::commit);
      assertThat(e.detail())
          .contains("key 5 of index 'faults'")
          .contains("n9:3")
          .contains("'billing'");
    }
  }

  @Test
  void aSlowDiskIsNamed() {
    CompositeKey key = EntryKeys.of(77, Codec.int64().encode(5L));
    node.end(new Outcome.Aborted(AbortReason.DISK_SLOW, key, null, "the disk of /d hangs", null));
    Transaction tx = db.begin();
    tx.on(index).put(5L, "a");
    CanopyException e = Errors.of(ErrorCode.DISK_SLOW, tx::commit);
    assertThat(e.detail())
        .isEqualTo("key 5 of index 'faults' cannot be written: the disk of /d hangs");
    assertThat(e.retryable()).isTrue();
  }

  @Test
  void aFullDiskIsToldAtOnceAndNamesIt() {
    CompositeKey key = EntryKeys.of(77, Codec.int64().encode(5L));
    node.end(new Outcome.Aborted(AbortReason.DISK_FULL, key, null, "the disk of /d is full", null));
    AtomicInteger runs = new AtomicInteger();
    CanopyException e =
        Errors.of(
            ErrorCode.DISK_FULL,
            () ->
                db.run(tx -> {
                  runs.incrementAndGet();
                  tx.on(index).put(5L, "a");
                }));
    assertThat(runs).hasValue(1);
    assertThat(e.detail())
        .isEqualTo("key 5 of index 'faults' cannot be put: the disk of /d is full");
    assertThat(e.facts()).containsEntry("index", "faults").doesNotContainKey("other");
    assertThat(e.retryable()).isTrue();
  }

  @Test
  void anUnavailableShardIsToldAtOnce() {
    node.answer(query -> new ReadAnswer.Unavailable(3));
    AtomicInteger runs = new AtomicInteger();
    CanopyException e =
        Errors.of(
            ErrorCode.SHARD_UNAVAILABLE,
            () ->
                db.read(tx -> {
                  runs.incrementAndGet();
                  return tx.on(index).get(1L);
                }));
    assertThat(runs).hasValue(1);
    assertThat(e).hasMessageContaining("shard 3");
    try (Transaction tx = db.begin()) {
      Errors.of(ErrorCode.SHARD_UNAVAILABLE, () -> tx.on(index).count());
    }
    node.answer(query -> null);
    node.end(FaultyNode.aborted(AbortReason.SHARD_UNAVAILABLE));
    try (Transaction tx = db.begin()) {
      tx.on(index).put(1L, "a");
      Errors.of(ErrorCode.SHARD_UNAVAILABLE, tx::commit);
    }
  }

  @Test
  void aSnapshotThatIsTooOldIsTakenAnew() {
    AtomicInteger asked = new AtomicInteger();
    node.answer(query -> asked.getAndIncrement() < 2 ? new ReadAnswer.TooOld() : null);
    assertThat(db.<Long, RuntimeException>read(tx -> tx.on(index).count())).isZero();
    assertThat(db.stats().total().aborts()).containsEntry(ErrorCode.SNAPSHOT_TOO_OLD, 2L);
  }

  @Test
  void anInterruptEndsTheTransaction() {
    node.answer(query -> {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    });
    Errors.of(ErrorCode.INTERRUPTED, () -> db.read(tx -> tx.on(index).get(1L)));
    assertThat(Thread.interrupted()).as("the interrupt stays set").isTrue();
    node.answer(query -> null);
    node.end(new Outcome.Unknown());
    CanopyException e =
        Errors.of(
            ErrorCode.INTERRUPTED,
            () ->
                db.run(tx -> {
                  tx.on(index).put(1L, "a");
                  Thread.currentThread().interrupt();
                }));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN);
  }

  @Test
  void aCodecThatFailsIsNamed() {
    Codec<String> broken =
        new Codec<>() {
          @Override
          public String id() {
            return "broken";
          }

          @Override
          public boolean ordered() {
            return false;
          }

          @Override
          public byte[] encode(String value) {
            return value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
          }

          @Override
          public String decode(byte[] bytes) {
            throw new IllegalStateException("cannot: " + Arrays.toString(bytes));
          }
        };
    Index<Long, String> other = db.index("broken", Codec.int64(), broken);
    db.run(tx -> tx.on(other).put(1L, "a"));
    CanopyException e =
        Errors.of(ErrorCode.CODEC_FAILURE, () -> db.read(tx -> tx.on(other).get(1L)));
    assertThat(e.detail()).contains("'broken'").contains("cannot");
  }

  private static Outcome lockTimeout(CompositeKey key) {
    TxId other = new TxId(new NodeId(9), 3);
    return new Outcome.Aborted(AbortReason.LOCK_TIMEOUT, key, other, "nightly report", null);
  }
}
