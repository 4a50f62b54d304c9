package io.canopygrid.btree.question;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.function.Function;

/**
 * The frame of questions and answers between nodes: the first byte is the version. Clients have a
 * protocol of their own, with versions of its own.
 */
public final class NodeBytes {
  /** The version of all these messages. */
  public static final int VERSION = 1;

  private NodeBytes() {}

  /** A writer that has written the version. */
  public static ByteWriter begin(int capacity) {
    return new ByteWriter(1 + capacity).writeByte(VERSION);
  }

  /**
   * Reads the beginning of a message behind its version: a later release may have added to its end.
   *
   * @param read throws {@link MalformedBytesException} where the bytes are no such message
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where they are none
   */
  public static <T> T decodeBeginning(byte[] bytes, Function<ByteReader, T> read) {
    return decode(bytes, read, false);
  }

  /**
   * Reads a whole message behind its version.
   *
   * @param read throws {@link MalformedBytesException} where the bytes are no such message
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where they are none
   */
  public static <T> T decode(byte[] bytes, Function<ByteReader, T> read) {
    return decode(bytes, read, true);
  }

  private static <T> T decode(byte[] bytes, Function<ByteReader, T> read, boolean isWhole) {
    try {
      ByteReader in = new ByteReader(bytes);
      int version = in.readByte();
      if (version != VERSION) {
        throw new MalformedBytesException("messages have version " + VERSION + ", not " + version);
      }
      T message = read.apply(in);
      if (isWhole) {
        in.end();
      }
      return message;
    } catch (MalformedBytesException e) {
      throw new CanopyException(ErrorCode.PROTOCOL_ERROR, "another node sent " + e.getMessage(), e);
    }
  }
}
