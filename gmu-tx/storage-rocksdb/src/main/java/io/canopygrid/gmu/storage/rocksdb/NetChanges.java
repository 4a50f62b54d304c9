package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageChange.PutDecision;
import io.canopygrid.gmu.wire.StoredCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The outcome of many changes: of each thing the last one only. Most of what a grid writes is gone
 * soon, as decisions are, so the engine is given much less than was logged; keys, and their order,
 * are made only for what is left. Confined to one thread.
 */
final class NetChanges {
  private final Map<Integer, NetShard> shards = new HashMap<>();

  /** By coordinator, and counter: a mark drops all below one. */
  private final Map<NodeId, SortedMap<Long, StorageChange>> decisions = new HashMap<>();

  private final NavigableMap<byte[], NetEntry> facts = new TreeMap<>(Arrays::compareUnsigned);
  private final List<Range> deleted = new ArrayList<>();

  /** Keys that the engine has, and that are deleted, from one, inclusive, to another, exclusive. */
  record Range(Family family, byte[] from, byte[] to) {
    boolean has(Family of, byte[] key) {
      return family == of
          && Arrays.compareUnsigned(from, key) <= 0
          && Arrays.compareUnsigned(key, to) < 0;
    }
  }

  boolean isEmpty() {
    return shards.isEmpty() && decisions.isEmpty() && facts.isEmpty() && deleted.isEmpty();
  }

  /** The memory that they take, more or less. */
  long bytes() {
    return shards.values().stream().mapToLong(NetShard::bytes).sum();
  }

  /** The changes of a shard's copy. */
  NetShard of(int shard) {
    return shards.computeIfAbsent(shard, NetShard::new);
  }

  /** Drops all of a shard's copy, also what the engine has. */
  void dropShard(int shard) {
    shards.remove(shard);
    byte[] first = ShardKeys.firstOf(shard);
    byte[] next = ShardKeys.firstOf(shard + 1);
    deleted.add(new Range(Family.DATA, first, next));
    deleted.add(new Range(Family.LOG, first, next));
    deleted.add(new Range(Family.TX, TxKeys.firstRecordOf(shard), TxKeys.firstRecordOf(shard + 1)));
  }

  void put(PutDecision put) {
    TxId tid = put.decision().tid();
    decisionsOf(tid.coordinator()).put(tid.counter(), put);
  }

  /**
   * @param mayBeStored whether the engine may have it; else nothing is left to be done
   */
  void drop(StorageChange.DropDecision drop, boolean mayBeStored) {
    SortedMap<Long, StorageChange> known = decisionsOf(drop.tid().coordinator());
    if (mayBeStored) {
      known.put(drop.tid().counter(), drop);
    } else {
      known.remove(drop.tid().counter());
    }
  }

  private SortedMap<Long, StorageChange> decisionsOf(NodeId coordinator) {
    return decisions.computeIfAbsent(coordinator, each -> new TreeMap<>());
  }

  /** Drops the decisions of a coordinator below a counter that were put here. */
  void dropDecisions(NodeId coordinator, long below) {
    decisionsOf(coordinator).headMap(below).clear();
  }

  /** Deletes decisions of a coordinator that the engine has. */
  void deleteDecisions(NodeId coordinator, DecisionRanges.Range range) {
    deleted.add(
        new Range(
            Family.TX,
            TxKeys.ofDecision(coordinator, range.from()),
            TxKeys.ofDecision(coordinator, range.to())));
  }

  void putFact(byte[] key, byte[] value) {
    facts.put(key, new NetEntry(key, () -> value));
  }

  void deleteFact(byte[] key) {
    facts.put(key, new NetEntry(key, null));
  }

  void deleteFacts(byte[] from, byte[] to) {
    facts.subMap(from, true, to, false).clear();
    deleted.add(new Range(Family.FACTS, from, to));
  }

  /** Tells the last change of each version, log entry, record and decision, in any order. */
  void forEach(Consumer<StorageChange> consumer) {
    for (NetShard shard : shards.values()) {
      shard.changes().forEach(changes -> changes.forEach(consumer));
    }
    decisions.values().forEach(known -> known.values().forEach(consumer));
  }

  /** The ranges that are deleted, before all entries. */
  List<Range> deleted() {
    return deleted;
  }

  /** The last changes of a family's keys, in the engine's order. */
  List<NetEntry> entries(Family family) {
    List<NetEntry> entries = new ArrayList<>();
    for (NetShard shard : shards.values()) {
      shard.addTo(entries, family);
    }
    if (family == Family.TX) {
      decisions.forEach((coordinator, known) ->
          known.forEach((counter, change) -> entries.add(entry(coordinator, counter, change))));
    }
    entries.sort(NetEntry::compare);
    if (family == Family.FACTS) {
      entries.addAll(facts.values());
    }
    return entries;
  }

  private static NetEntry entry(NodeId coordinator, long counter, StorageChange change) {
    return new NetEntry(
        TxKeys.ofDecision(coordinator, counter),
        change instanceof PutDecision put
            ? () -> StoredCodec.encodeDecision(put.decision())
            : null);
  }

  /** Adds them to a batch of the engine: what is deleted as a range comes before all puts. */
  void writeTo(WriteBatch batch, RocksEngine engine) throws RocksDBException {
    for (Range range : deleted) {
      batch.deleteRange(engine.family(range.family()), range.from(), range.to());
    }
    for (Family family : Family.values()) {
      for (NetEntry each : entries(family)) {
        Supplier<byte[]> value = each.value();
        if (value == null) {
          batch.delete(engine.family(family), each.key());
        } else {
          batch.put(engine.family(family), each.key(), value.get());
        }
      }
    }
  }
}
