package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Limits;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A part of a sorted load: entries in ascending order of their keys, at least one. As arguments of
 * the function that loads it these are a byte that says the version, and key and value of each.
 *
 * @param entries not to be changed
 */
public record SortedPart(List<Entry> entries) {
  /** The function that loads a part at the node that has its first key. */
  static final String FUNCTION = Functions.PREFIX + "load";

  private static final int VERSION = 1;

  /** An encoded entry. The arrays are not to be changed. */
  public record Entry(byte[] key, byte[] value) {
    /** What it takes as an argument, at most. */
    int bytes() {
      return key.length + value.length + 10;
    }
  }

  /** Copies the list. */
  public SortedPart {
    entries = List.copyOf(entries);
  }

  /** The least key. */
  public byte[] first() {
    return entries.get(0).key();
  }

  /** The greatest key. */
  public byte[] last() {
    return entries.get(entries.size() - 1).key();
  }

  byte[] toArguments() {
    ByteWriter out = new ByteWriter(1 << 16).writeByte(VERSION);
    entries.forEach(entry -> out.writeBytes(entry.key()).writeBytes(entry.value()));
    return out.toBytes();
  }

  private static SortedPart of(byte[] arguments) {
    List<Entry> entries = new ArrayList<>();
    try {
      ByteReader in = new ByteReader(arguments);
      if (in.readByte() != VERSION) {
        throw new MalformedBytesException("another version");
      }
      while (in.remaining() > 0) {
        entries.add(new Entry(in.readBytes(), in.readBytes()));
      }
    } catch (MalformedBytesException e) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, "not the arguments of " + FUNCTION, e);
    }
    byte[] before = null;
    for (Entry entry : entries) {
      boolean ascends = before == null || Arrays.compareUnsigned(before, entry.key()) < 0;
      if (!ascends || entry.key().length > Limits.KEY_BYTES_MAX) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT, "the keys of a part ascend, and take 8 KiB at most");
      }
      before = entry.key();
    }
    if (entries.isEmpty()) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, "a part has an entry");
    }
    return new SortedPart(entries);
  }

  /** The function: the result is how many subtrees were made. */
  static byte[] load(FunctionBody body, byte[] arguments) {
    SortedPart part = of(arguments);
    return Codec.int64().encode((long) body.viewOfPlace(FUNCTION).load(part));
  }
}
