package io.canopygrid;

import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import org.jspecify.annotations.Nullable;

/**
 * The position of a {@link Cursor}: the index, the keys that it has not handed out yet, what its
 * transaction had seen, and the named snapshot that it read, if it read one. Since it names keys
 * and not places, it stays right when they move. The caller goes on with the cursor in a
 * transaction of {@link TransactionOptions#resuming}. Opaque; keep it as {@linkplain #toBytes
 * bytes} or {@linkplain #toString text}. Immutable and thread-safe.
 */
public final class ResumeToken {
  /** {@link #remaining()} of a cursor without a limit. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  private static final String WHAT = "resume token";
  private static final int REVERSE = 1;
  private static final int TO_THE_END = 2;
  private static final int IN_SNAPSHOT = 4;

  private final String index;
  private final KeyRange rest;
  private final boolean reverse;
  private final long remaining;
  private final CausalToken seen;
  private final String snapshot;

  private ResumeToken(
      String index,
      KeyRange rest,
      boolean reverse,
      long remaining,
      CausalToken seen,
      String snapshot) {
    this.index = index;
    this.rest = rest;
    this.reverse = reverse;
    this.remaining = remaining;
    this.seen = seen;
    this.snapshot = snapshot;
  }

  /**
   * A cursor's position, for implementations of cursors.
   *
   * @param index the index's name
   * @param rest the keys not handed out yet
   * @param reverse whether it goes from the greatest key to the least
   * @param remaining entries left of its limit, at least 0; {@link #NO_LIMIT} if it has none
   * @param seen what its transaction has seen
   * @param snapshot the named snapshot that it reads, exactly; empty: the present
   */
  public static ResumeToken of(
      String index,
      KeyRange rest,
      boolean reverse,
      long remaining,
      CausalToken seen,
      String snapshot) {
    Arguments.inRange("remaining", remaining, 0, NO_LIMIT);
    return new ResumeToken(index, rest, reverse, remaining, seen, snapshot);
  }

  /**
   * The token of these bytes.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if they are not those of one
   */
  public static ResumeToken fromBytes(byte[] bytes) {
    return TokenBytes.open(TokenBytes.RESUME, WHAT, bytes, ResumeToken::read);
  }

  /**
   * The token of this text.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if it is not that of one
   */
  public static ResumeToken parse(String text) {
    return fromBytes(TokenBytes.parse(WHAT, text));
  }

  private static ResumeToken read(ByteReader in) {
    int flags = in.readByte();
    if (flags > (REVERSE | TO_THE_END | IN_SNAPSHOT)) {
      throw new MalformedBytesException("unknown flags: " + flags);
    }
    String index = in.readText();
    String snapshot = (flags & IN_SNAPSHOT) != 0 ? in.readText() : "";
    byte[] from = in.readBytes();
    byte @Nullable [] to = (flags & TO_THE_END) != 0 ? null : in.readBytes();
    long remaining = in.readVarLong();
    if (remaining < 0) {
      throw new MalformedBytesException("must be >= 0: remaining=" + remaining);
    }
    CausalToken seen = CausalToken.read(in);
    boolean reverse = (flags & REVERSE) != 0;
    return new ResumeToken(index, KeyRange.of(from, to), reverse, remaining, seen, snapshot);
  }

  /** The name of the index that the cursor reads. */
  public String index() {
    return index;
  }

  /** A token of all that the cursor's transaction had seen, which says of which grid it is. */
  public CausalToken seen() {
    return seen;
  }

  /**
   * The named snapshot that the cursor reads, for {@link TransactionOptions#at}; empty: it reads
   * the present. A name alone would not do: a snapshot that is taken later under the same name is
   * another one.
   */
  public String snapshot() {
    return snapshot;
  }

  /** The encoded keys not handed out yet, for implementations of cursors. */
  public KeyRange rest() {
    return rest;
  }

  /** Whether the cursor goes from the greatest key to the least. */
  public boolean reverse() {
    return reverse;
  }

  /** Entries left of the cursor's limit, {@link #NO_LIMIT} if it has none. */
  public long remaining() {
    return remaining;
  }

  /** A portable form: the causal token's bytes, the bounds and the index's name. */
  public byte[] toBytes() {
    byte[] to = rest.to();
    ByteWriter body = new ByteWriter(128);
    body.writeByte(
        (reverse ? REVERSE : 0)
            | (to == null ? TO_THE_END : 0)
            | (snapshot.isEmpty() ? 0 : IN_SNAPSHOT));
    body.writeText(index);
    if (!snapshot.isEmpty()) {
      body.writeText(snapshot);
    }
    body.writeBytes(rest.from());
    if (to != null) {
      body.writeBytes(to);
    }
    body.writeVarLong(remaining);
    seen.write(body);
    return TokenBytes.seal(TokenBytes.RESUME, body);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ResumeToken t
        && index.equals(t.index)
        && rest.equals(t.rest)
        && reverse == t.reverse
        && remaining == t.remaining
        && seen.equals(t.seen)
        && snapshot.equals(t.snapshot);
  }

  @Override
  public int hashCode() {
    return 31 * index.hashCode() + rest.hashCode();
  }

  /** The bytes as text of letters, digits, '-' and '_', see {@link #parse}. */
  @Override
  public String toString() {
    return TokenBytes.print(toBytes());
  }
}
