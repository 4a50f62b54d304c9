package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.storage.StorageChange.PutVersion;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import org.jspecify.annotations.Nullable;

/** The bytes of a version: flags, the writer where it is another transaction, and the value. */
final class VersionBytes {
  private static final int TOMBSTONE = 1;
  private static final int MOVED = 2;

  private VersionBytes() {}

  /** Up to so many they are. */
  static int lengthOf(PutVersion put) {
    byte[] value = put.value();
    return 1 + 2 * Long.BYTES + (value == null ? 0 : value.length);
  }

  static byte[] of(PutVersion put) {
    byte[] value = put.value();
    boolean isMoved = !put.writer().equals(put.tid());
    ByteWriter out = new ByteWriter(lengthOf(put));
    out.writeByte((value == null ? TOMBSTONE : 0) | (isMoved ? MOVED : 0));
    if (isMoved) {
      out.writeLong(put.writer().coordinator().value()).writeLong(put.writer().counter());
    }
    if (value != null) {
      out.writeRaw(value);
    }
    return out.toBytes();
  }

  /**
   * A version's content, as it was read.
   *
   * @param value null: a tombstone
   */
  record Content(TxId writer, byte @Nullable [] value) {}

  /**
   * @param tid the transaction of the version's key
   */
  static Content read(byte[] bytes, TxId tid) {
    ByteReader in = new ByteReader(bytes);
    int flags = in.readByte();
    if (flags > (TOMBSTONE | MOVED)) {
      throw new MalformedBytesException("no version has the flags " + flags);
    }
    TxId writer = (flags & MOVED) == 0 ? tid : new TxId(new NodeId(in.readLong()), in.readLong());
    if ((flags & TOMBSTONE) != 0) {
      in.end();
      return new Content(writer, null);
    }
    return new Content(writer, in.readRaw(in.remaining()));
  }
}
