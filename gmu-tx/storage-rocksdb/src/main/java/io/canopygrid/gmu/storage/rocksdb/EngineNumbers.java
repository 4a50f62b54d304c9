package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.Recovered;
import java.util.HashMap;
import java.util.Map;

/**
 * Up to which commit number of each shard, and up to which transaction of each coordinator, the
 * engine may have anything. Things above were never brought there, so nothing need be deleted: most
 * of what is logged is dropped before it would come to the engine. Confined to one thread.
 */
final class EngineNumbers {
  private final Map<Integer, Long> numbers = new HashMap<>();
  private final Map<NodeId, Long> counters = new HashMap<>();

  /** Whether it is known what the engine had; until then it may have everything. */
  private boolean isKnown;

  /** All that the engine has; what is brought there later is told one by one. */
  void learn(Recovered content) {
    content
        .copies()
        .forEach((shard, copy) -> {
          copy.versions().forEach(version -> add(shard, version.sequenceNumber()));
          for (LogEntry entry : copy.log()) {
            add(shard, entry.sequenceNumber());
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
    return !isKnown || number <= numbers.getOrDefault(shard, Long.MIN_VALUE);
  }

  /** Whether the engine may have a record or decision of this transaction. */
  boolean mayHave(TxId tid) {
    return !isKnown || tid.counter() <= counters.getOrDefault(tid.coordinator(), Long.MIN_VALUE);
  }
}
