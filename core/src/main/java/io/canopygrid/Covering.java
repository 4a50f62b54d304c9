package io.canopygrid;

import java.util.function.Function;

/**
 * A part of each row that the entries of a secondary index have too, so that it can be read without
 * the row. It is put into an {@link IndexDefinition} and read from an {@link IndexEntry}.
 * Immutable, and thread-safe if its codec and its function are; the function must depend on the row
 * alone.
 *
 * <pre>{@code
 * Covering<Order, Long> total = Covering.of(Codec.int64(), Order::total);
 * IndexDefinition<Order, String> byCity =
 *     IndexDefinition.of("city", Codec.string(), Order::city).covering(total);
 *
 * long sum = tx.on(orders).by(byCity).scan(Range.all()).mapToLong(e -> e.covered(total)).sum();
 * }</pre>
 *
 * @param <R> rows
 * @param <C> the part
 */
public final class Covering<R, C> {
  private final Codec<C> codec;
  private final Function<? super R, ? extends C> part;

  private Covering(Codec<C> codec, Function<? super R, ? extends C> part) {
    this.codec = Arguments.notNull("the codec of what is covered", codec);
    this.part = Arguments.notNull("what is covered", part);
  }

  /**
   * A part of each row.
   *
   * @param codec of the part; it need not be ordered
   * @param part the part of a row, never null
   */
  public static <R, C> Covering<R, C> of(Codec<C> codec, Function<? super R, ? extends C> part) {
    return new Covering<>(codec, part);
  }

  /** Names the encoding of the part. */
  String codecId() {
    return codec.id();
  }

  /** The bytes of the part of a row. */
  byte[] encode(R row) {
    C value = Arguments.notNull("what an index covers of a row", part.apply(row));
    try {
      return Arguments.notNull("what codec " + codec.id() + " encodes", codec.encode(value));
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE,
          "codec " + codec.id() + " cannot encode what an index covers: " + e,
          e);
    }
  }

  /** The part that has these bytes. An exception of the codec becomes a coded error. */
  C decode(byte[] bytes) {
    try {
      return Arguments.notNull("what codec " + codec.id() + " decodes", codec.decode(bytes));
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "what an index covers is not of codec " + codec.id(), e);
    }
  }
}
