package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageChange.PutLog;
import io.canopygrid.gmu.storage.StorageChange.PutRecord;
import io.canopygrid.gmu.storage.StorageChange.PutVersion;
import io.canopygrid.gmu.wire.StoredCodec;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of many changes of a shard's copy: of each thing the last change only, a put or a
 * drop. Confined to one thread.
 */
final class NetShard {
  /** Of objects, key and place in a map. */
  private static final long ENTRY_BYTES = 256;

  private final int shard;
  private final Map<VersionId, StorageChange> versions = new HashMap<>();
  private final Map<CommitId, StorageChange> log = new HashMap<>();
  private final Map<TxId, StorageChange> records = new HashMap<>();
  private long valueBytes;

  NetShard(int shard) {
    this.shard = shard;
  }

  /** A commit at a shard. Its hash is that of its number, of which hardly two have the same. */
  private record CommitId(long number, TxId tid) {
    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  private record VersionId(CompositeKey key, long number, TxId tid) {
    @Override
    public int hashCode() {
      return 31 * key.hashCode() + Long.hashCode(number);
    }
  }

  void put(PutVersion put) {
    valueBytes += VersionBytes.lengthOf(put);
    replaced(versions.put(new VersionId(put.key(), put.sequenceNumber(), put.tid()), put));
  }

  /**
   * @param mayBeStored whether the engine may have it; else nothing is left to be done
   */
  void drop(StorageChange.DropVersion drop, boolean mayBeStored) {
    VersionId id = new VersionId(drop.key(), drop.sequenceNumber(), drop.tid());
    replaced(mayBeStored ? versions.put(id, drop) : versions.remove(id));
  }

  private void replaced(@Nullable StorageChange before) {
    if (before instanceof PutVersion put) {
      valueBytes -= VersionBytes.lengthOf(put);
    }
  }

  void put(PutLog put) {
    log.put(new CommitId(put.sequenceNumber(), put.tid()), put);
  }

  /**
   * @param mayBeStored whether the engine may have it; else nothing is left to be done
   */
  void drop(StorageChange.DropLog drop, boolean mayBeStored) {
    CommitId id = new CommitId(drop.sequenceNumber(), drop.tid());
    if (mayBeStored) {
      log.put(id, drop);
    } else {
      log.remove(id);
    }
  }

  void put(PutRecord put) {
    records.put(put.rec().tid(), put);
  }

  /**
   * @param mayBeStored whether the engine may have it; else nothing is left to be done
   */
  void drop(StorageChange.DropRecord drop, boolean mayBeStored) {
    if (mayBeStored) {
      records.put(drop.tid(), drop);
    } else {
      records.remove(drop.tid());
    }
  }

  /** The memory that they take, more or less. */
  long bytes() {
    return valueBytes + ENTRY_BYTES * (versions.size() + log.size() + records.size());
  }

  /** The last changes, in any order. */
  List<Collection<StorageChange>> changes() {
    return List.of(versions.values(), log.values(), records.values());
  }

  /** Adds the entries of a family. */
  void addTo(List<NetEntry> entries, Family family) {
    switch (family) {
      case DATA -> versions.forEach((id, change) -> entries.add(entry(id, change)));
      case LOG -> log.forEach((id, change) -> entries.add(entry(id, change)));
      case TX -> records.forEach((tid, change) -> entries.add(entry(tid, change)));
      case FACTS -> {}
    }
  }

  private NetEntry entry(VersionId id, StorageChange change) {
    return new NetEntry(
        ShardKeys.ofVersion(shard, id.key(), id.number(), id.tid()),
        change instanceof PutVersion put ? () -> VersionBytes.of(put) : null);
  }

  private NetEntry entry(CommitId id, StorageChange change) {
    return new NetEntry(
        ShardKeys.ofLogEntry(shard, id.number(), id.tid()),
        change instanceof PutLog put ? () -> StoredCodec.encodeClock(put.clock()) : null);
  }

  private NetEntry entry(TxId tid, StorageChange change) {
    return new NetEntry(
        TxKeys.ofRecord(shard, tid),
        change instanceof PutRecord put ? () -> StoredCodec.encodeRecord(put.rec()) : null);
  }
}
