package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.protocol.copy.LiveCounts;
import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
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

  /** The watermark that is on the disk. */
  private long kept;

  /** The watermark that is forced, where that comes later than that it is stored. */
  private long forced;

  /** The disk tells the values of all versions up to this number. */
  private long readableUpTo;

  /** The part of the copy that a learner has begun with; it need not be sent again. */
  private final UpTo begunWith;

  /** The records here that are on the disk. */
  private final Set<TxId> recorded = new HashSet<>();

  /** The newest view, of what is here now, and its number. */
  private ShardView latest;

  private long published;

  /** The last position that must be stored before the newest view may be seen. */
  private long restsOn;

  /** The number of the view that readers have. */
  private long shown;

  /** The view that readers have: the newest of what is stored. */
  private volatile ShardView view;

  /** A copy that begins. */
  StoredShard(int shard, NodeState node, boolean synced) {
    this(
        shard,
        node,
        new ShardCopy(shard, node.stores(), node.changes(), node.removals(), node.memory()),
        synced,
        UpTo.NOTHING);
    node.removals().begin(shard, node.epochStart());
    node.changes().add(new StorageChange.BeginCopy(shard));
    if (synced) {
      node.changes().add(new StorageChange.CompleteCopy(shard));
    }
  }

  private StoredShard(int shard, NodeState node, ShardCopy copy, boolean synced, UpTo begunWith) {
    this.shard = shard;
    this.node = node;
    this.copy = copy;
    this.synced = synced;
    this.begunWith = begunWith;
    this.latest = newView(false);
    this.view = latest;
  }

  /** The copy that this node's disk has. */
  static StoredShard of(int shard, NodeState node, Recovered.Copy recovered) {
    ShardCopy copy =
        ShardCopy.of(
            shard, node.stores(), node.changes(), node.removals(), node.memory(), recovered);
    StoredShard stored = new StoredShard(shard, node, copy, true, UpTo.NOTHING);
    // The founding topology forces all that is stored before it. A lower watermark is not stored
    // after that, as others have gone by this one; the same one is, with its new topology.
    stored.forced = recovered.complete().number();
    stored.kept = stored.forced - 1;
    stored.readableUpTo = stored.forced;
    for (TxRecord rec : recovered.records()) {
      stored.records.put(rec.tid(), rec);
      stored.recorded.add(rec.tid());
    }
    return stored;
  }

  /** A learner's copy, which begins with what this node's disk has of before. */
  static StoredShard resumed(int shard, NodeState node, Recovered.Copy recovered) {
    ShardCopy copy =
        ShardCopy.resumed(
            shard, node.stores(), node.changes(), node.removals(), node.memory(), recovered);
    StoredShard stored = new StoredShard(shard, node, copy, false, recovered.complete());
    stored.readableUpTo = recovered.complete().number();
    return stored;
  }

  int shard() {
    return shard;
  }

  UpTo begunWith() {
    return begunWith;
  }

  ShardCopy copy() {
    return copy;
  }

  Map<TxId, TxRecord> records() {
    return records;
  }

  /** The view that readers have: what was published last, and is stored; any thread. */
  ShardView view() {
    return view;
  }

  /** The view that was published last. */
  ShardView latest() {
    return latest;
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
    node.changes().add(new StorageChange.CompleteCopy(shard));
    restOn(Long.MAX_VALUE);
  }

  // ---- records

  /**
   * Keeps the record of a transaction that is prepared here. In one phase nobody relies on it, as
   * only the decision is told: then it is not stored.
   */
  void prepare(TxRecord rec) {
    records.put(rec.tid(), rec);
    if (!rec.onePhase() && node.changes().isKept()) {
      recorded.add(rec.tid());
      node.changes().add(new StorageChange.PutRecord(rec));
    }
  }

  /** A transaction is aborted, or never was: its record is gone. */
  void forget(TxId tid) {
    records.remove(tid);
    unrecord(tid);
  }

  private void unrecord(TxId tid) {
    if (node.changes().isKept() && recorded.remove(tid)) {
      node.changes().add(new StorageChange.DropRecord(shard, tid));
    }
  }

  /**
   * Applies a commit; does nothing for an abort, which has no clock. Its record, which may have
   * waited for its turn, is stored up to here.
   */
  void apply(TxRecord rec, @Nullable VectorClock clock) {
    if (clock != null) {
      copy.apply(rec, clock);
      restOn(node.decisions().storedAt(rec.tid()));
    }
    unrecord(rec.tid());
  }

  /** The content may be seen once a position is stored, that of this step at the latest. */
  private void restOn(long position) {
    restsOn = Math.max(restsOn, Math.min(position, node.outbox().thisStep()));
  }

  /** The last position that must be stored before others may see what is here. */
  long restsOn() {
    return restsOn;
  }

  /** Resolves a decided transaction where no order is kept: at a backup or learner. */
  void resolveUnordered(TxRecord rec, @Nullable VectorClock clock) {
    records.remove(rec.tid());
    apply(rec, clock);
    publishIfTop();
  }

  /** Drops what is below the horizon; true where something was. */
  boolean prune() {
    boolean dropped = mayDrop() && !lacksVersions() && copy.prune(node.horizon().droppable());
    if (dropped) {
      restOn(Long.MAX_VALUE);
    }
    return dropped;
  }

  /** Whether garbage may be dropped: a learner drops nothing before it has its state (Joining). */
  boolean mayDrop() {
    return synced;
  }

  /**
   * Whether versions that the disk has are missing: a log entry that is dropped could then leave
   * some of its commit (Closed copies).
   */
  boolean lacksVersions() {
    return copy.isClosed();
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

  /**
   * Stores up to where every owner has all commits: a node that comes back with this disk needs
   * only what is above (Coming back).
   */
  void keepWatermark(long number, Runnable whenForced) {
    if (synced && number > kept) {
      kept = number;
      long topology = node.placements().id();
      node.changes().add(new StorageChange.PutWatermark(shard, topology, number));
      if (node.memory().isLimited()) {
        node.outbox().whenReadable(() -> readableUpTo = number);
      }
      if (node.changes().isForcedLater()) {
        node.outbox()
            .whenForced(() -> {
              forced = number;
              whenForced.run();
            });
      }
    }
  }

  /** The watermark that no power cut can take (Garbage). */
  long forcedUpTo() {
    return forced;
  }

  /** Up to which number values can leave memory; 0: none, as every node reads all of TOP. */
  long readableUpTo() {
    return synced && !copy.isClosed() && !node.placements().isTop(shard) ? readableUpTo : 0;
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
    restOn(Long.MAX_VALUE);
    publishApplied(serving);
  }

  /** The same where only commits were applied since: their decisions are all that it rests on. */
  void publishApplied(boolean serving) {
    ShardView next = newView(serving);
    Invariant.holds(next.follows(latest), "a view went back: shard %s", shard);
    latest = next;
    published++;
    long number = published;
    node.outbox().whenStored(() -> show(next, number), restsOn);
    for (long kcl : copy.live().takeGrown()) {
      if (serving) {
        node.outbox().emit(new Effect.Grew(kcl, copy.live().of(kcl).entries()));
      }
    }
  }

  /** Shows a view, unless a later one is shown, which can rest on less than was waited for. */
  private void show(ShardView stored, long number) {
    if (number > shown) {
      shown = number;
      view = stored;
    }
  }

  /** Whether a backup's copy has all that its watermark says (Closed copies). */
  boolean mayBeRead() {
    return synced && !copy.isClosed();
  }

  private ShardView newView(boolean serving) {
    return new ShardView(
        shard,
        node.placements().id(),
        serving,
        mayBeRead() ? completeUpTo() : 0,
        copy.chains().view(),
        copy.log().view(),
        node.horizon().horizon());
  }
}
