package io.canopygrid;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;

/**
 * The position of a {@link ChangeFeed}: the index, and what it has told. It names no place, so it
 * stays right across splits, moves, failover and restarts. Opaque; keep it as {@linkplain #toBytes
 * bytes} or {@linkplain #toString text}. Immutable and thread-safe.
 */
public final class FeedPosition {
  private static final String WHAT = "feed position";

  private final String index;
  private final int number;
  private final CausalToken told;

  private FeedPosition(String index, int number, CausalToken told) {
    this.index = index;
    this.number = number;
    this.told = told;
  }

  /**
   * A feed's position, for implementations of feeds.
   *
   * @param index the index's name
   * @param number the index's number in the grid, which no other index of the name has
   * @param told the clock at or below which all was told, and the grid
   */
  public static FeedPosition of(String index, int number, CausalToken told) {
    return new FeedPosition(
        Arguments.notNull("index", index), number, Arguments.notNull("told", told));
  }

  /**
   * The position of these bytes.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if they are not those of one
   */
  public static FeedPosition fromBytes(byte[] bytes) {
    return TokenBytes.open(TokenBytes.FEED, WHAT, bytes, FeedPosition::read);
  }

  /**
   * The position of this text.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if it is not that of one
   */
  public static FeedPosition parse(String text) {
    return fromBytes(TokenBytes.parse(WHAT, text));
  }

  private static FeedPosition read(ByteReader in) {
    String index = in.readText();
    int number = in.readCount(Integer.MAX_VALUE);
    return new FeedPosition(index, number, CausalToken.read(in));
  }

  /** The name of the index. */
  public String index() {
    return index;
  }

  /** The number of the index, for implementations of feeds. */
  public int number() {
    return number;
  }

  /** All that the feed has told, and the grid, for implementations of feeds. */
  public CausalToken told() {
    return told;
  }

  /** A portable form: the index's name, and some 10 bytes for each shard. */
  public byte[] toBytes() {
    ByteWriter body = new ByteWriter(64 + 10 * told.clock().size());
    body.writeText(index).writeVarLong(number);
    told.write(body);
    return TokenBytes.seal(TokenBytes.FEED, body);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof FeedPosition p
        && index.equals(p.index)
        && number == p.number
        && told.equals(p.told);
  }

  @Override
  public int hashCode() {
    return 31 * index.hashCode() + told.hashCode();
  }

  /** The bytes as text of letters, digits, '-' and '_', see {@link #parse}. */
  @Override
  public String toString() {
    return TokenBytes.print(toBytes());
  }
}
