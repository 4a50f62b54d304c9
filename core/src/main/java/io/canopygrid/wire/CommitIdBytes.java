package io.canopygrid.wire;

import java.util.UUID;

/**
 * Names of commits as bytes: 16 bytes of the client, eight of the time, then the number and the
 * shard as {@link ByteWriter#writeVarLong}.
 */
public final class CommitIdBytes {
  /** The fewest bytes that a name takes. */
  public static final int BYTES_MIN = 26;

  private CommitIdBytes() {}

  /** Appends a name. */
  public static void write(ByteWriter out, CommitId id) {
    UUID client = id.client();
    out.writeLong(client.getMostSignificantBits()).writeLong(client.getLeastSignificantBits());
    out.writeLong(id.millis()).writeVarLong(id.number()).writeVarLong(id.shard());
  }

  /** Reads a name. */
  public static CommitId read(ByteReader in) {
    long high = in.readLong();
    UUID client = new UUID(high, in.readLong());
    long millis = in.readLong();
    long number = in.readVarLong();
    if (number < 0) {
      throw new MalformedBytesException("a commit's number must not be negative: " + number);
    }
    return new CommitId(client, millis, number, in.readCount(Integer.MAX_VALUE));
  }
}
