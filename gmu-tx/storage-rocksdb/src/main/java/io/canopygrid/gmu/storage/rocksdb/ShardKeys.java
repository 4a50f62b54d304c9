package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;

/**
 * The keys of what belongs to a shard: of versions and of log entries. Both begin with the shard's
 * two bytes, so a shard is one range of keys. The engine orders them as unsigned bytes:
 *
 * <ul>
 *   <li>versions by shard, kcl and ku, of a key the newest first;
 *   <li>log entries by shard, number and transaction.
 * </ul>
 *
 * <p>ku has any length and any bytes. It is written with {@code 00 FF} for each {@code 00}, and
 * ends with {@code 00 00}; so no ku is the beginning of another one, and the bytes' order is
 * theirs.
 */
final class ShardKeys {
  /** Shards are below this, so that each has one behind it. */
  static final int SHARDS_MAX = 0xFFFF;

  private static final int ZERO = 0x00;
  private static final int END = 0x00;
  private static final int ESCAPED_ZERO = 0xFF;
  private static final int TID_BYTES = 2 * Long.BYTES;
  private static final int FIXED_BYTES = 48;

  private ShardKeys() {}

  /** The first key of a shard, or of those behind the shard before. */
  static byte[] firstOf(int shard) {
    return writeShard(new ByteWriter(Short.BYTES), shard).toBytes();
  }

  static byte[] ofVersion(int shard, CompositeKey key, long sequenceNumber, TxId tid) {
    byte[] bytes = key.bytes();
    ByteWriter out = writeShard(new ByteWriter(FIXED_BYTES + bytes.length), shard);
    for (int i = 0; i < CompositeKey.KCL_BYTES; i++) {
      out.writeByte(bytes[i]);
    }
    for (int i = CompositeKey.KCL_BYTES; i < bytes.length; i++) {
      out.writeByte(bytes[i]);
      if (bytes[i] == ZERO) {
        out.writeByte(ESCAPED_ZERO);
      }
    }
    return out.writeByte(ZERO)
        .writeByte(END)
        .writeLong(~sequenceNumber)
        .writeLong(~tid.coordinator().value())
        .writeLong(~tid.counter())
        .toBytes();
  }

  static byte[] ofLogEntry(int shard, long sequenceNumber, TxId tid) {
    ByteWriter out = new ByteWriter(Short.BYTES + Long.BYTES + TID_BYTES);
    writeShard(out, shard).writeLong(sequenceNumber);
    return out.writeLong(tid.coordinator().value()).writeLong(tid.counter()).toBytes();
  }

  private static ByteWriter writeShard(ByteWriter out, int shard) {
    Invariant.holds(shard >= 0 && shard <= SHARDS_MAX, "no shard can be stored as %s", shard);
    return out.writeByte(shard >>> 8).writeByte(shard);
  }

  static int readShard(ByteReader in) {
    return in.readByte() << 8 | in.readByte();
  }

  /** The key of a version, behind its shard. */
  static CompositeKey readKey(ByteReader in) {
    ByteWriter key = new ByteWriter(in.remaining());
    key.writeRaw(in.readRaw(CompositeKey.KCL_BYTES));
    while (true) {
      int next = in.readByte();
      if (next == ZERO) {
        int kind = in.readByte();
        if (kind == END) {
          return CompositeKey.ofBytes(key.toBytes());
        }
        if (kind != ESCAPED_ZERO) {
          throw new MalformedBytesException("00 and then " + kind + " in a key");
        }
      }
      key.writeByte(next);
    }
  }

  static TxId readTid(ByteReader in) {
    return new TxId(new NodeId(in.readLong()), in.readLong());
  }

  /** The transaction of a version, whose order is turned round. */
  static TxId readTurnedTid(ByteReader in) {
    return new TxId(new NodeId(~in.readLong()), ~in.readLong());
  }
}
