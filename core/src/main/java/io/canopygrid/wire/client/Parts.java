package io.canopygrid.wire.client;

import io.canopygrid.GridId;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts that several messages have. */
final class Parts {
  private Parts() {}

  static void writeFlag(ByteWriter out, boolean flag) {
    out.writeByte(flag ? 1 : 0);
  }

  static boolean readFlag(ByteReader in) {
    return choice(in, 2) == 1;
  }

  /** A byte below a number of choices. */
  static int choice(ByteReader in, int choices) {
    int value = in.readByte();
    if (value >= choices) {
      throw new MalformedBytesException("must be below " + choices + ": " + value);
    }
    return value;
  }

  static int readInt(ByteReader in) {
    return in.readCount(Integer.MAX_VALUE);
  }

  /** A number that is not negative. */
  static long readLong(ByteReader in) {
    long value = in.readVarLong();
    if (value < 0) {
      throw new MalformedBytesException("must not be negative: " + value);
    }
    return value;
  }

  static String readName(ByteReader in) {
    String name = in.readText();
    if (name.length() > WireLimits.NAME_MAX) {
      throw new MalformedBytesException(
          "a name has at most " + WireLimits.NAME_MAX + " characters: " + name.length());
    }
    return name;
  }

  /** Null is told from bytes by a flag before them. */
  static void writeOptional(ByteWriter out, byte @Nullable [] bytes) {
    writeFlag(out, bytes != null);
    if (bytes != null) {
      out.writeBytes(bytes);
    }
  }

  static byte @Nullable [] readOptional(ByteReader in) {
    return readFlag(in) ? in.readBytes() : null;
  }

  static <T> void writeList(ByteWriter out, List<T> list, BiConsumer<ByteWriter, T> writer) {
    out.writeVarLong(list.size());
    list.forEach(item -> writer.accept(out, item));
  }

  /** A list whose items take at least so many bytes each, which bounds its length. */
  static <T> List<T> readList(ByteReader in, int bytesMin, Function<ByteReader, T> reader) {
    int size = in.readCount(in.remaining() / bytesMin);
    List<T> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(reader.apply(in));
    }
    return list;
  }

  static void writeRange(ByteWriter out, KeyRange range) {
    out.writeBytes(range.from());
    writeOptional(out, range.to());
  }

  static KeyRange readRange(ByteReader in) {
    byte[] from = in.readBytes();
    return KeyRange.of(from, readOptional(in));
  }

  static void writeGrid(ByteWriter out, GridId grid) {
    out.writeLong(grid.high()).writeLong(grid.low());
  }

  static GridId readGrid(ByteReader in) {
    long high = in.readLong();
    return new GridId(high, in.readLong());
  }

  static void writeUuid(ByteWriter out, UUID uuid) {
    out.writeLong(uuid.getMostSignificantBits()).writeLong(uuid.getLeastSignificantBits());
  }

  static UUID readUuid(ByteReader in) {
    long high = in.readLong();
    return new UUID(high, in.readLong());
  }
}
