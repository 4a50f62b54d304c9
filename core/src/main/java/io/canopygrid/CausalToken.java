package io.canopygrid;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;

/**
 * A mark of all that a handle's transactions have seen. A transaction begun {@linkplain
 * TransactionOptions#withAfter after} it, by whichever client through whichever node, sees at least
 * that. Opaque; keep it as {@linkplain #toBytes bytes} or {@linkplain #toString text}. Immutable
 * and thread-safe.
 */
public final class CausalToken {
  /** The token of a caller who has seen nothing. */
  public static final CausalToken NONE = new CausalToken(VectorClock.ZERO);

  private static final String WHAT = "causal token";

  private final VectorClock clock;

  private CausalToken(VectorClock clock) {
    this.clock = clock;
  }

  /** The token of a clock, for implementations of {@link Canopy}. */
  public static CausalToken of(VectorClock clock) {
    return clock.size() == 0 ? NONE : new CausalToken(clock);
  }

  /**
   * The token of these bytes.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if they are not those of one
   */
  public static CausalToken fromBytes(byte[] bytes) {
    return of(TokenBytes.open(TokenBytes.CAUSAL, WHAT, bytes, ClockBytes::read));
  }

  /**
   * The token of this text.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if it is not that of one
   */
  public static CausalToken parse(String text) {
    return fromBytes(TokenBytes.parse(WHAT, text));
  }

  /** The token of a caller who has seen all that both tokens stand for. */
  public CausalToken join(CausalToken other) {
    return of(clock.join(other.clock));
  }

  /** The token's clock, for classes that implement {@link Canopy}. */
  public VectorClock clock() {
    return clock;
  }

  /** A portable form: some 10 bytes, and about 10 more for each shard seen. */
  public byte[] toBytes() {
    ByteWriter body = new ByteWriter(16 + 10 * clock.size());
    ClockBytes.write(body, clock);
    return TokenBytes.seal(TokenBytes.CAUSAL, body);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CausalToken t && clock.equals(t.clock);
  }

  @Override
  public int hashCode() {
    return clock.hashCode();
  }

  /** The bytes as text of letters, digits, '-' and '_', see {@link #parse}. */
  @Override
  public String toString() {
    return TokenBytes.print(toBytes());
  }
}
