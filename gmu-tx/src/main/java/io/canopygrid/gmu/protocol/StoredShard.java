package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.copy.LiveCounts;
import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.protocol.read.ShardView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content that a node stores of one shard, whatever its role: the copy, the records of the
 * transactions prepared and undecided, and the view of the copy that was published last. Confined
 * to the protocol lock, except {@link #view()} and {@link #live()}.
 */
final class StoredShard {
  private final int shard;
  private final NodeState node;
  private final ShardCopy copy;
  private final Map<TxId, TxRecord> records = new LinkedHashMap<>();

  /** Whether the copy is complete. A learner's becomes so once. */
  private boolean synced;

  /** A backup's: up to here no commit is missing, nor will one come. It never goes back. */
  private long watermark;

  private volatile ShardView view;

  StoredShard(int shard, NodeState node, boolean synced) {
    this.shard = shard;
    this.node = node;
    this.copy = new ShardCopy(shard, node.stores());
    this.synced = synced;
    this.view = newView(false);
  }

  int shard() {
    return shard;
  }

  ShardCopy copy() {
    return copy;
  }

  Map<TxId, TxRecord> records() {
    return records;
  }

  /** The view that was published last; any thread. */
  ShardView view() {
    return view;
  }

  /** Any thread. */
  LiveCounts live() {
    return copy.live();
  }

  boolean isSynced() {
    return synced;
  }

  /** A learner has the whole state. */
  void onSynced() {
    Invariant.holds(!synced, "has the state already: shard %s", shard);
    synced = true;
  }

  /** Applies a commit; does nothing for an abort, which has no clock. */
  void apply(TxRecord rec, @Nullable VectorClock clock) {
    if (clock != null) {
      copy.apply(rec, clock);
    }
  }

  /** Resolves a decided transaction where no order is kept: at a backup or learner. */
  void resolveUnordered(TxRecord rec, @Nullable VectorClock clock) {
    records.remove(rec.tid());
    apply(rec, clock);
    publishIfTop();
  }

  /** Drops what is below the horizon; true where something was. */
  boolean prune() {
    return mayDrop() && copy.prune(node.horizon().droppable());
  }

  /** Whether garbage may be dropped: a learner drops nothing before it has its state (Joining). */
  boolean mayDrop() {
    return synced;
  }

  /** Every owner has all commits up to this number; true where that is new. */
  boolean raiseWatermark(long number) {
    boolean higher = number > watermark;
    if (higher) {
      watermark = number;
    }
    return higher;
  }

  /** Up to where a backup's copy may be read (Reads at backups). */
  long completeUpTo() {
    return watermark;
  }

  /** Backups are not read, except TOP, which every node reads without asking. */
  void publishIfTop() {
    if (node.placements().isTop(shard)) {
      publish(false);
    }
  }

  /**
   * Shows readers what the copy has now.
   *
   * @param serving whether this node serves as the shard's primary
   */
  void publish(boolean serving) {
    ShardView next = newView(serving);
    Invariant.holds(next.follows(view), "a view went back: shard %s", shard);
    view = next;
    for (long kcl : copy.live().takeGrown()) {
      if (serving) {
        node.outbox().emit(new Effect.Grew(kcl, copy.live().of(kcl).entries()));
      }
    }
  }

  private ShardView newView(boolean serving) {
    return new ShardView(
        shard,
        node.placements().id(),
        serving,
        synced ? completeUpTo() : 0,
        copy.chains().view(),
        copy.log().view(),
        node.horizon().horizon());
  }
}
