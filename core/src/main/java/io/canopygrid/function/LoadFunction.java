package io.canopygrid.function;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionTransaction;
import io.canopygrid.Functions;
import io.canopygrid.Limits;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The function that loads a part of a sorted load at the node that has the part's first key. The
 * arguments are a byte that says the version, and then the key and value of each entry.
 */
final class LoadFunction {
  /** The name by which the function is called; no application can register such a name. */
  static final String NAME = Functions.PREFIX + "load";

  private static final int VERSION = 1;

  /** The most bytes that the lengths of a key and a value take. */
  private static final int LENGTHS_BYTES_MAX = 10;

  private LoadFunction() {}

  /** The bytes that an entry takes as an argument, at most. */
  static int bytesMax(SortedPart.Entry entry) {
    return entry.key().length + entry.value().length + LENGTHS_BYTES_MAX;
  }

  /** The arguments that carry a part. */
  static byte[] arguments(SortedPart part) {
    ByteWriter out = new ByteWriter(1 << 16).writeByte(VERSION);
    part.entries().forEach(entry -> out.writeBytes(entry.key()).writeBytes(entry.value()));
    return out.toBytes();
  }

  /**
   * Loads the part in the arguments. The result is how many subtrees were made, by {@link
   * Codec#int64}. The function needs the engine's transaction below the caller's, so it is not one
   * that applications could register.
   */
  static byte[] load(FunctionTransaction transaction, byte[] arguments) {
    if (transaction instanceof FunctionBody body) {
      SortedPart part = part(arguments);
      return Codec.int64().encode((long) body.viewOfPlace(NAME).load(part));
    }
    throw new IllegalStateException(transaction + " is of another handle");
  }

  private static SortedPart part(byte[] arguments) {
    List<SortedPart.Entry> entries = new ArrayList<>();
    try {
      ByteReader in = new ByteReader(arguments);
      if (in.readByte() != VERSION) {
        throw new MalformedBytesException("another version");
      }
      while (in.remaining() > 0) {
        entries.add(new SortedPart.Entry(in.readBytes(), in.readBytes()));
      }
    } catch (MalformedBytesException e) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, "not the arguments of " + NAME, e);
    }
    byte[] before = null;
    for (SortedPart.Entry entry : entries) {
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
}
