package io.canopygrid.wire.client;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;

/**
 * The frames of the protocol: four bytes of length, a byte of type, four bytes of stream, and the
 * message. Bytes that cannot be decoded, for whatever reason, end in {@link
 * MalformedBytesException}, and decoding allocates no more than a small multiple of what the frame
 * holds.
 */
public final class WireCodec {
  /** The length of the length. */
  public static final int LENGTH_BYTES = Integer.BYTES;

  /** Type and stream. */
  public static final int HEADER_BYTES = 1 + Integer.BYTES;

  private WireCodec() {}

  /**
   * A message and its stream.
   *
   * @param stream 0 for the connection as a whole; the client's number for a request, which its
   *     answers have too and which is free again after the last of them
   */
  public record Framed(int stream, ClientMessage message) {}

  /**
   * The length that a frame's first four bytes announce, without themselves.
   *
   * @param max the most that is accepted
   * @throws MalformedBytesException if it is longer, or too short for a frame
   */
  public static int checkedLength(int announced, int max) {
    if (announced < HEADER_BYTES || announced > max) {
      throw new MalformedBytesException(
          "a frame has from "
              + HEADER_BYTES
              + " to "
              + max
              + " bytes: "
              + Integer.toUnsignedString(announced));
    }
    return announced;
  }

  /** A whole frame, its length included. */
  public static byte[] encode(int stream, ClientMessage message) {
    ByteWriter body = new ByteWriter(64);
    MessageType type = MessageType.of(message);
    type.write(body, message);
    byte[] bytes = body.toBytes();
    return new ByteWriter(LENGTH_BYTES + HEADER_BYTES + bytes.length)
        .writeInt(HEADER_BYTES + bytes.length)
        .writeByte(type.code())
        .writeInt(stream)
        .writeRaw(bytes)
        .toBytes();
  }

  /**
   * Decodes a frame.
   *
   * @param frame type, stream and message, without the length
   */
  public static Framed decode(byte[] frame) {
    ByteReader in = new ByteReader(frame);
    MessageType type = MessageType.of(in.readByte());
    int stream = in.readInt();
    ClientMessage message = type.read(in);
    in.end();
    return new Framed(stream, message);
  }
}
