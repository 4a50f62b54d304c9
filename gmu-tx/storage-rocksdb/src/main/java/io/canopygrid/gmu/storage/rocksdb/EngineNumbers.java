package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.Recovered;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Up to which commit number of each shard, and up to which transaction of each coordinator, the
 * engine may have anything. Things above were never brought there, so nothing need be deleted: most
 * of what is logged is dropped before it would come to the engine. Confined to one thread, but for
 * {@link #learn(int, Recovered.Copy)}.
 */
final class EngineNumbers {
  private final Map<Integer, Long> numbers = new HashMap<>();
  private final Map<NodeId, Long> counters = new HashMap<>();

  /** The shards whose copies were not read yet: of these the engine may have everything. */
  private final Set<Integer> closed = ConcurrentHashMap.newKeySet();

  /** By shard the highest number that the engine had when its copy was read. */
  private final Map<Integer, Long> had = new ConcurrentHashMap<>();

  /** Whether it is known what the engine had, but for closed copies; until then, everything. */
  private boolean isKnown;

  /** All that the engine has but for closed copies; what is brought there later is told. */
  void learn(Recovered content) {
    content
        .copies()
        .forEach((shard, copy) -> {
          if (copy.isClosed()) {
            closed.add(shard);
          } else {
            learn(shard, copy);
          }
          for (TxRecord rec : copy.records()) {
            add(rec.tid());
          }
        });
    for (Decision decision : content.decisions()) {
      add(decision.tid());
    }
    isKnown = true;
  }

  /**
   * All that the engine had of a shard when it was read; what it gets later is told. Any thread.
   */
  void learn(int shard, Recovered.Copy copy) {
    long highest = Long.MIN_VALUE;
    for (Recovered.Version version : copy.versions()) {
      highest = Math.max(highest, version.sequenceNumber());
    }
    for (LogEntry entry : copy.log()) {
      highest = Math.max(highest, entry.sequenceNumber());
    }
    had.put(shard, highest);
    closed.remove(shard);
  }

  /** The engine is about to have a version or log entry with this number. */
  void add(int shard, long number) {
    numbers.merge(shard, number, Math::max);
  }

  /** The engine is about to have a record or decision of this transaction. */
  void add(TxId tid) {
    counters.merge(tid.coordinator(), tid.counter(), Math::max);
  }

  /** Whether the engine may have a version or log entry with this number. */
  boolean mayHave(int shard, long number) {
    return !isKnown
        || closed.contains(shard)
        || number <= had.getOrDefault(shard, Long.MIN_VALUE)
        || number <= numbers.getOrDefault(shard, Long.MIN_VALUE);
  }

  /** Whether the engine may have a record or decision of this transaction. */
  boolean mayHave(TxId tid) {
    return !isKnown || tid.counter() <= counters.getOrDefault(tid.coordinator(), Long.MIN_VALUE);
  }
}
