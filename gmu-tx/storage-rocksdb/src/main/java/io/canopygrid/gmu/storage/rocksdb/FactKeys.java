package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.wire.ByteWriter;

/** The keys of facts: a letter, and what the fact is about. */
final class FactKeys {
  /** The disk's id: the engine belongs to this data directory. */
  static final int DISK = 'I';

  /** The position of the last batch. */
  static final int POSITION = 'P';

  static final int TOPOLOGY = 'T';

  /** By place, from 0 on: a topology before that one that counts beside it. */
  static final int OVER = 'O';

  /** The node joined in its topology, and does not know those before it. */
  static final int JOINED = 'J';

  static final int HORIZON = 'H';

  /** The highest id of a founding topology that was promised. */
  static final int PROMISE = 'V';

  /** By number, from 0 on: an id under which a node with this disk has joined. */
  static final int USER = 'U';

  /** By coordinator. */
  static final int MARK = 'M';

  /** By shard: whether the copy is complete. */
  static final int COPY = 'C';

  /** By shard: up to where its copy lacks no commit. */
  static final int WATERMARK = 'W';

  /** The cuts that the grid has made after power cuts. */
  static final int CUTS = 'X';

  /** The number of the log's newest segment when the disk was closed in order. */
  static final int CLOSED = 'Z';

  /** A power cut may have taken what was written last, and no topology was installed since. */
  static final int MAY_LACK = 'Q';

  private FactKeys() {}

  static byte[] of(int kind) {
    return new byte[] {(byte) kind};
  }

  static byte[] ofOver(int place) {
    return new ByteWriter(8).writeByte(OVER).writeInt(place).toBytes();
  }

  static byte[] ofUser(int number) {
    return new ByteWriter(8).writeByte(USER).writeInt(number).toBytes();
  }

  static byte[] ofMark(NodeId coordinator) {
    return new ByteWriter(16).writeByte(MARK).writeLong(coordinator.value()).toBytes();
  }

  static byte[] ofCopy(int shard) {
    return new ByteWriter(4).writeByte(COPY).writeRaw(ShardKeys.firstOf(shard)).toBytes();
  }

  static byte[] ofWatermark(int shard) {
    return new ByteWriter(4).writeByte(WATERMARK).writeRaw(ShardKeys.firstOf(shard)).toBytes();
  }

  static byte[] ofLongs(long first, long second) {
    return new ByteWriter(2 * Long.BYTES).writeLong(first).writeLong(second).toBytes();
  }

  static byte[] ofLong(long value) {
    return new ByteWriter(Long.BYTES).writeLong(value).toBytes();
  }
}
