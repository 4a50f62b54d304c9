package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;

/**
 * The keys of prepared transactions, by shard, and of decisions, by coordinator and counter: what
 * is dropped together is one range.
 */
final class TxKeys {
  static final int DECISION = 'D';
  static final int RECORD = 'R';

  private static final int LENGTH_MAX = 1 + Short.BYTES + 2 * Long.BYTES;

  private TxKeys() {}

  static byte[] firstRecordOf(int shard) {
    return writer(RECORD).writeRaw(ShardKeys.firstOf(shard)).toBytes();
  }

  static byte[] ofRecord(int shard, TxId tid) {
    return writer(RECORD)
        .writeRaw(ShardKeys.firstOf(shard))
        .writeLong(tid.coordinator().value())
        .writeLong(tid.counter())
        .toBytes();
  }

  static byte[] ofDecision(TxId tid) {
    return ofDecision(tid.coordinator(), tid.counter());
  }

  static byte[] ofDecision(NodeId coordinator, long counter) {
    return writer(DECISION).writeLong(coordinator.value()).writeLong(counter).toBytes();
  }

  /** The transaction of a decision's key. */
  static TxId decisionOf(byte[] key) {
    return ShardKeys.readTid(new ByteReader(key, 1, key.length));
  }

  private static ByteWriter writer(int kind) {
    return new ByteWriter(LENGTH_MAX).writeByte(kind);
  }
}
