package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StepChanges;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.store.CommitLog;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The copy that one node has of one shard: the version chains, the log and {@code mostRecent}. The
 * same for primaries, backups and learners; confined to the protocol lock.
 */
public final class ShardCopy {
  private final int shard;
  private final OrderedStore<VersionChain> chains;
  private final CommitLog log;
  private final LiveCounts live = new LiveCounts();
  private final StepChanges changes;
  private final Removals removals;
  private final EntryRoom memory;

  /** The versions beyond the newest one of each key. */
  private long olderVersions;

  /** Whether the versions that the disk has are not all here yet. */
  private boolean closed;

  /** The highest number that the disk had; nothing above it has been removed before it was open. */
  private long storedUpTo;

  private final MergedClocks clocks;

  /**
   * An empty copy.
   *
   * @param changes is told what changes here
   * @param removals is told which keys are gone
   * @param memory is told what the entries take
   */
  public ShardCopy(
      int shard,
      OrderedStore.Factory stores,
      StepChanges changes,
      Removals removals,
      EntryRoom memory) {
    this.shard = shard;
    this.memory = memory;
    this.changes = changes;
    this.removals = removals;
    this.chains = stores.create();
    this.log = new CommitLog(shard);
    this.clocks = new MergedClocks(chains);
  }

  /** The copy that a disk has. */
  public static ShardCopy of(
      int shard,
      OrderedStore.Factory stores,
      StepChanges changes,
      Removals removals,
      EntryRoom memory,
      Recovered.Copy recovered) {
    ShardCopy copy = new ShardCopy(shard, stores, changes, removals, memory);
    CopyRecovery disk = new CopyRecovery(recovered);
    disk.log().forEach(entry -> copy.restore(entry, disk.written(entry)));
    disk.chains().forEach(copy::restore);
    copy.closed = recovered.isClosed();
    copy.storedUpTo = copy.log.applied();
    removals.begin(shard, copy.log.applied());
    return copy;
  }

  /**
   * The copy that a disk has, as far as nothing is missing there: what is above may have been
   * aborted since, and is dropped from the disk, too (Coming back).
   */
  public static ShardCopy resumed(
      int shard,
      OrderedStore.Factory stores,
      StepChanges changes,
      Removals removals,
      EntryRoom memory,
      Recovered.Copy recovered) {
    Recovered.Copy known = new KnownPart(shard, recovered, changes).drop();
    ShardCopy copy = of(shard, stores, changes, removals, memory, known);
    // The state has what the grid has seen since, which need not have seen all of this.
    copy.clocks.clear();
    return copy;
  }

  /** Whether versions that the disk has are missing here (protocol.md, Closed copies). */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Takes versions of the disk into a closed copy, below and between those that have come since:
   * they are stored already.
   *
   * @param last whether these are the last ones, so that the copy is open
   */
  public void takeStored(List<KeyVersions> versions, boolean last) {
    Invariant.holds(closed, "a copy that is open is opened: shard %s", shard);
    for (KeyVersions each : versions) {
      CompositeKey key = each.key();
      VersionChain here = chains.get(key.bytes());
      put(key, here, withStored(here, each.chain()));
      for (VersionChain v = each.chain(); v != null; v = v.older()) {
        log.addKey(v.sequenceNumber(), v.tid(), key, here != null);
      }
      log.raiseApplied(each.chain().sequenceNumber());
      storedUpTo = Math.max(storedUpTo, each.chain().sequenceNumber());
    }
    if (last) {
      closed = false;
      removals.begin(shard, storedUpTo);
    }
  }

  /** The chain of a key with what the disk has of it. */
  VersionChain withStored(@Nullable VersionChain here, VersionChain stored) {
    return VersionChain.install(here, stored);
  }

  /**
   * A state that is whole replaces what the disk had, up to a number: its log entries are dropped,
   * as the commits may not be in this grid's past (Coming back).
   */
  public void forgetLog(long upTo) {
    for (CommitLog.Entry entry : log.dropUpTo(upTo)) {
      if (changes.isKept()) {
        changes.add(new StorageChange.DropLog(shard, entry.sequenceNumber(), entry.tid()));
      }
    }
  }

  /** Whether it is known here which keys were removed above a number. */
  boolean knowsRemovals(long number) {
    return removals.reaches(shard, number);
  }

  /** The keys that were removed above a number, and have no versions. */
  List<CompositeKey> removedSince(long number) {
    return removals.since(shard, number).stream()
        .filter(key -> chains.get(key.bytes()) == null)
        .toList();
  }

  public OrderedStore<VersionChain> chains() {
    return chains;
  }

  public CommitLog log() {
    return log;
  }

  public LiveCounts live() {
    return live;
  }

  /** Takes a log entry of the disk, with the keys that it wrote here. */
  private void restore(LogEntry entry, List<CompositeKey> keys) {
    log.append(entry.sequenceNumber(), entry.tid(), entry.clock(), keys);
    clocks.mergeUnknown(entry.clock());
  }

  /** Takes a chain of the disk. */
  private void restore(CompositeKey key, VersionChain chain) {
    put(key, null, chain);
    log.raiseApplied(chain.sequenceNumber());
  }

  /** The clocks of the commits that were applied or merged here. */
  public MergedClocks clocks() {
    return clocks;
  }

  /**
   * Applies a commit (protocol.md, Decide): appends its versions and its log entry, each at its
   * place and once, and merges its clock.
   */
  public void apply(TxRecord rec, VectorClock clock) {
    List<Write> writes = rec.footprint().writes();
    if (writes.isEmpty()) {
      applyReadOnly(clock);
      return;
    }
    TxId tid = rec.tid();
    long number = clock.get(shard);
    List<CompositeKey> keys = new ArrayList<>(writes.size());
    for (Write write : writes) {
      TxId writer = write.origin() == null ? tid : write.origin();
      install(write.key(), VersionChain.of(tid, writer, number, clock, write.value()));
      keys.add(write.key());
    }
    append(number, tid, clock, keys);
    clocks.merge(clock);
    if (rec.footprint().readsMoreThanItWrites()) {
      clocks.mergeReader(clock);
    }
  }

  private void append(long number, TxId tid, VectorClock clock, List<CompositeKey> keys) {
    log.append(number, tid, clock, keys);
    if (changes.isKept()) {
      changes.add(new StorageChange.PutLog(shard, number, tid, clock));
    }
  }

  /** Applies a commit that only read here: its clock is merged (Decide). */
  void applyReadOnly(VectorClock clock) {
    clocks.mergeUnknown(clock);
  }

  /** Takes over the log of another copy, before its chains. */
  public void mergeLog(List<LogEntry> entries, long applied, VectorClock otherMostRecent) {
    for (LogEntry e : entries) {
      append(e.sequenceNumber(), e.tid(), e.clock(), List.of());
    }
    log.raiseApplied(applied);
    clocks.mergeUnknown(otherMostRecent);
  }

  /**
   * Takes over a run of another copy's chains. Up to the number that the other copy has applied it
   * has all there is: what is here and not there is garbage, and what came above it, perhaps a
   * tombstone, is gone there and will not come.
   *
   * @param after the last key before the run; null: it is the first one
   * @param toTheEnd whether there is nothing behind the run
   */
  public void mergeChains(
      List<KeyVersions> others, long applied, @Nullable CompositeKey after, boolean toTheEnd) {
    dropUpTo(applied, others, after, toTheEnd);
    takeChains(others);
  }

  private void takeChains(List<KeyVersions> others) {
    for (KeyVersions other : others) {
      install(other.key(), other.chain());
      for (VersionChain v = other.chain(); v != null; v = v.older()) {
        log.addKey(v.sequenceNumber(), v.tid(), other.key(), true);
      }
    }
  }

  /**
   * Takes over what has changed above a number up to which nothing is missing here: the chains of
   * some keys, and that others have none (Coming back).
   */
  public void mergeChanges(List<KeyVersions> changed, List<CompositeKey> gone, long applied) {
    for (CompositeKey key : gone) {
      VersionChain chain = chains.get(key.bytes());
      if (chain != null) {
        replace(key, chain, chain.above(applied));
      }
      removals.add(shard, key, applied);
    }
    for (KeyVersions each : changed) {
      VersionChain chain = chains.get(each.key().bytes());
      if (chain != null) {
        replace(each.key(), chain, above(chain, applied, each.chain()));
      }
    }
    takeChains(changed);
  }

  /** Removals are known above this number from now on. */
  public void knowsRemovalsFrom(long number) {
    removals.begin(shard, number);
  }

  /**
   * Drops what no snapshot can need (protocol.md, Garbage). A version that is not at or below the
   * horizon has its log entry, with its key; so the chains that can be pruned now are those of the
   * entries that fall below the horizon now.
   *
   * @return whether anything was dropped
   */
  public boolean prune(VectorClock horizon) {
    List<CommitLog.Entry> dropped = log.truncateBelow(horizon);
    Set<CompositeKey> keys = new LinkedHashSet<>();
    for (CommitLog.Entry e : dropped) {
      keys.addAll(e.keys());
      if (changes.isKept()) {
        changes.add(new StorageChange.DropLog(shard, e.sequenceNumber(), e.tid()));
      }
    }
    for (CompositeKey key : keys) {
      VersionChain chain = chains.get(key.bytes());
      VersionChain pruned = chain == null ? null : chain.prune(horizon);
      put(key, chain, pruned);
      if (chain != null && pruned == null) {
        removals.add(shard, key, chain.sequenceNumber());
      }
      stored(key, chain, pruned);
    }
    return !dropped.isEmpty();
  }

  /** Drops what a state replaces: all up to what the primary has applied (Joining). */
  void dropUpTo(
      long applied, List<KeyVersions> others, @Nullable CompositeKey after, boolean toTheEnd) {
    Map<CompositeKey, VersionChain> sent = new HashMap<>();
    others.forEach(other -> sent.put(other.key(), other.chain()));
    byte[] last = others.isEmpty() ? null : others.get(others.size() - 1).key().bytes();
    OrderedCursor<VersionChain> cursor =
        chains.view().ascending(after == null ? new byte[0] : after.bytes());
    while (cursor.next()
        && (toTheEnd || (last != null && Arrays.compareUnsigned(cursor.key(), last) <= 0))) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      if (after == null || !key.equals(after)) {
        replace(key, cursor.value(), above(cursor.value(), applied, sent.get(key)));
      }
    }
  }

  private static @Nullable VersionChain above(
      VersionChain here, long applied, @Nullable VersionChain sent) {
    VersionChain above = here.above(applied);
    return sent == null ? above : above == null ? sent : VersionChain.install(above, sent);
  }

  private void replace(
      CompositeKey key, @Nullable VersionChain before, @Nullable VersionChain after) {
    put(key, before, after);
    stored(key, before, after);
  }

  /** Replaces a key's chain in memory. */
  private void put(CompositeKey key, @Nullable VersionChain before, @Nullable VersionChain after) {
    if (before == after) {
      return;
    }
    if (after == null) {
      chains.remove(key.bytes());
    } else {
      chains.put(key.bytes(), after);
    }
    live.replaced(key, before, after);
    memory.replaced(key.bytes(), before, after);
    long more = moreOlder(before, after);
    olderVersions += more;
    memory.addOlderVersions(more);
  }

  /** A version on top of a chain is the rule, and others need not be counted. */
  private static long moreOlder(@Nullable VersionChain before, @Nullable VersionChain after) {
    return before != null && after != null && after.older() == before
        ? 1
        : older(after) - older(before);
  }

  private static long older(@Nullable VersionChain chain) {
    long count = 0;
    for (VersionChain v = chain == null ? null : chain.older(); v != null; v = v.older()) {
      count++;
    }
    return count;
  }

  // ---- larger than memory

  /**
   * Lets the value of a key leave memory, unless it was used lately, is small, or may be needed in
   * other words: a version that not every snapshot sees has others above or below it.
   *
   * @param storedUpTo the disk tells the values of versions up to this number
   * @return whether it has left
   */
  public boolean evict(byte[] key, VersionChain chain, long storedUpTo) {
    if (!chain.canBeCold()
        || memory.stays(chain.size())
        || chain.sequenceNumber() > storedUpTo
        || memory.takeUsed(key)) {
      return false;
    }
    CompositeKey of = CompositeKey.ofBytes(key);
    boolean leaves = of.isOfEntry();
    if (leaves) {
      put(of, chain, chain.cold());
    }
    return leaves;
  }

  /**
   * Takes values of cold versions back into memory.
   *
   * @return whether any was taken
   */
  public boolean warm(Map<VersionId, byte[]> values) {
    boolean any = false;
    for (Map.Entry<VersionId, byte[]> read : values.entrySet()) {
      any |= warm(read.getKey(), read.getValue());
    }
    return any;
  }

  /**
   * Takes the value of a cold version back into memory, where it has room or was used before.
   *
   * @return whether it was taken
   */
  private boolean warm(VersionId id, byte[] value) {
    byte[] key = id.key().bytes();
    VersionChain chain = chains.get(key);
    if (chain == null || !isStill(chain, id)) {
      return false;
    }
    boolean takes = memory.takesBack(key, value.length);
    if (takes) {
      put(id.key(), chain, chain.warm(value));
    }
    return takes;
  }

  /** Whether a key still has the cold version that was read. */
  boolean isStill(VersionChain chain, VersionId read) {
    return chain.isCold()
        && chain.sequenceNumber() == read.sequenceNumber()
        && chain.tid().equals(read.tid());
  }

  /** All that the copy has is given up. */
  public void release() {
    memory.addOlderVersions(-olderVersions);
    olderVersions = 0;
    if (memory.isLimited()) {
      OrderedCursor<VersionChain> cursor = chains.view().ascending(new byte[0]);
      while (cursor.next()) {
        memory.replaced(cursor.key(), cursor.value(), null);
      }
    }
  }

  private void install(CompositeKey key, VersionChain versions) {
    VersionChain before = chains.get(key.bytes());
    VersionChain after = VersionChain.install(before, versions);
    Invariant.holds(
        before == null || after.sequenceNumber() >= before.sequenceNumber(),
        "the newest version of %s went back",
        key);
    if (after != before) {
      replace(key, before, after);
    }
  }

  /** A key's chain was replaced: tells which versions are new, and which are gone. */
  private void stored(
      CompositeKey key, @Nullable VersionChain before, @Nullable VersionChain after) {
    if (!changes.isKept()) {
      return;
    }
    VersionChain a = before;
    VersionChain b = after;
    while (a != b && (a != null || b != null)) {
      int order = a == null ? 1 : b == null ? -1 : b.compareVersion(a);
      if (b != null && order > 0) {
        changes.add(
            new StorageChange.PutVersion(
                shard, key, b.sequenceNumber(), b.tid(), b.writer(), b.value()));
      } else if (a != null && order < 0) {
        changes.add(new StorageChange.DropVersion(shard, key, a.sequenceNumber(), a.tid()));
      }
      a = a != null && order <= 0 ? a.older() : a;
      b = b != null && order >= 0 ? b.older() : b;
    }
  }
}
