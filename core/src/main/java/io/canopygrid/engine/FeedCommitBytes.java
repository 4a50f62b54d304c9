package io.canopygrid.engine;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A feed's transactions as bytes, as servers send them to clients: the number of changes, then of
 * each the key, and a flag and the value of before and of after.
 */
public final class FeedCommitBytes {
  /** The fewest bytes of a change: a length and two flags. */
  private static final int CHANGE_BYTES_MIN = 3;

  /** The most bytes of a change beside its key and values: three lengths and two flags. */
  private static final int CHANGE_BYTES_BESIDE = 17;

  private FeedCommitBytes() {}

  /** About how many bytes it takes, never fewer than it does. */
  public static long size(FeedCommit commit) {
    long size = Integer.BYTES + 1;
    for (FeedCommit.Changed changed : commit.changes()) {
      size += CHANGE_BYTES_BESIDE + changed.key().length;
      size += length(changed.before()) + length(changed.after());
    }
    return size;
  }

  private static long length(byte @Nullable [] value) {
    return value == null ? 0 : value.length;
  }

  /** The bytes of a transaction. */
  public static byte[] encode(FeedCommit commit) {
    ByteWriter out = new ByteWriter((int) Math.min(size(commit), Integer.MAX_VALUE / 2));
    out.writeVarLong(commit.changes().size());
    for (FeedCommit.Changed changed : commit.changes()) {
      out.writeBytes(changed.key());
      write(out, changed.before());
      write(out, changed.after());
    }
    return out.toBytes();
  }

  private static void write(ByteWriter out, byte @Nullable [] value) {
    out.writeByte(value == null ? 0 : 1);
    if (value != null) {
      out.writeBytes(value);
    }
  }

  /**
   * The transaction of these bytes.
   *
   * @throws MalformedBytesException if they are not those of one
   */
  public static FeedCommit decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    int size = in.readCount(in.remaining() / CHANGE_BYTES_MIN);
    List<FeedCommit.Changed> changes = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      byte[] key = in.readBytes();
      byte[] before = readValue(in);
      changes.add(new FeedCommit.Changed(key, before, readValue(in)));
    }
    in.end();
    return new FeedCommit(changes);
  }

  private static byte @Nullable [] readValue(ByteReader in) {
    int flag = in.readByte();
    if (flag > 1) {
      throw new MalformedBytesException("must be below 2: " + flag);
    }
    return flag == 1 ? in.readBytes() : null;
  }
}
