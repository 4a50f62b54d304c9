package io.canopygrid;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Base64;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The frame of a token: a byte that says which kind and version it is, the body, and four bytes of
 * CRC-32C over both, so that a token that was cut, mixed up or mistyped is refused and not
 * followed.
 */
final class TokenBytes {
  /** Kind and version of {@link CausalToken}. */
  static final int CAUSAL = 0xC2;

  /** Kind and version of {@link ResumeToken}. */
  static final int RESUME = 0xD2;

  /** Kind and version of {@link FeedPosition}. */
  static final int FEED = 0xE2;

  private static final int CHECKSUM_BYTES = 4;

  private TokenBytes() {}

  static byte[] seal(int kind, ByteWriter body) {
    byte[] bytes = body.toBytes();
    ByteWriter out = new ByteWriter(1 + bytes.length + CHECKSUM_BYTES);
    out.writeByte(kind).writeRaw(bytes);
    return out.writeInt(checksum(out.toBytes(), out.size())).toBytes();
  }

  /** Reads a token's body, and makes each failure a coded error. */
  static <T> T open(int kind, String what, byte[] bytes, Function<ByteReader, T> body) {
    Arguments.notNull("the bytes of a " + what, bytes);
    try {
      int end = bytes.length - CHECKSUM_BYTES;
      if (end >= 1 && (bytes[0] & 0xFF) == kind - 1) {
        throw new MalformedBytesException(
            "it is of a former release, which did not say of which grid it was; take a new one");
      }
      if (end < 1 || (bytes[0] & 0xFF) != kind) {
        throw new MalformedBytesException("it does not begin or end like one");
      }
      if (new ByteReader(bytes, end, bytes.length).readInt() != checksum(bytes, end)) {
        throw new MalformedBytesException("its checksum is wrong");
      }
      ByteReader in = new ByteReader(bytes, 1, end);
      T token = body.apply(in);
      in.end();
      return token;
    } catch (MalformedBytesException | IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.INVALID_TOKEN, "not a " + what + ": " + e.getMessage(), e);
    }
  }

  /** Appends the grid that a token is of. */
  static void writeGrid(ByteWriter out, @Nullable GridId grid) {
    out.writeByte(grid == null ? 0 : 1);
    if (grid != null) {
      out.writeLong(grid.high()).writeLong(grid.low());
    }
  }

  /** Reads what {@link #writeGrid} wrote; null: the token names no grid. */
  static @Nullable GridId readGrid(ByteReader in) {
    int flag = in.readByte();
    if (flag > 1) {
      throw new MalformedBytesException("must be 0 or 1: " + flag);
    }
    if (flag == 0) {
      return null;
    }
    long high = in.readLong();
    return new GridId(high, in.readLong());
  }

  static String print(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static byte[] parse(String what, String text) {
    Arguments.notNull("the text of a " + what, text);
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.INVALID_TOKEN, "not a " + what + ": " + e.getMessage(), e);
    }
  }

  private static int checksum(byte[] bytes, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    return (int) crc.getValue();
  }
}
