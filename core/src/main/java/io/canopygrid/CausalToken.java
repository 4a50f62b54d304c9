package io.canopygrid;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mark of all that a handle's transactions have seen in one grid. A transaction begun {@linkplain
 * TransactionOptions#withAfter after} it, by whichever client through whichever node, sees at least
 * that; in another grid it is refused ({@link ErrorCode#INVALID_TOKEN}). Opaque; keep it as
 * {@linkplain #toBytes bytes} or {@linkplain #toString text}. Immutable and thread-safe.
 */
public final class CausalToken {
  /** The token of a caller who has seen nothing. */
  public static final CausalToken NONE = new CausalToken(null, VectorClock.ZERO);

  private static final String WHAT = "causal token";

  /** Null: the token does not say, and stands for nothing unless its clock is empty. */
  private final @Nullable GridId grid;

  private final VectorClock clock;

  private CausalToken(@Nullable GridId grid, VectorClock clock) {
    this.grid = grid;
    this.clock = clock;
  }

  /** The token of a clock that no grid is known of; with components no grid takes it. */
  public static CausalToken of(VectorClock clock) {
    return of(null, clock);
  }

  /** The token of a clock of a grid, for implementations of {@link Canopy}. */
  public static CausalToken of(@Nullable GridId grid, VectorClock clock) {
    return grid == null && clock.size() == 0 ? NONE : new CausalToken(grid, clock);
  }

  /**
   * The token of these bytes.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if they are not those of one
   */
  public static CausalToken fromBytes(byte[] bytes) {
    return TokenBytes.open(TokenBytes.CAUSAL, WHAT, bytes, CausalToken::read);
  }

  /**
   * The token of this text.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if it is not that of one
   */
  public static CausalToken parse(String text) {
    return fromBytes(TokenBytes.parse(WHAT, text));
  }

  /** Reads what {@link #write} wrote. */
  static CausalToken read(ByteReader in) {
    @Nullable GridId grid = TokenBytes.readGrid(in);
    return of(grid, ClockBytes.read(in));
  }

  void write(ByteWriter out) {
    TokenBytes.writeGrid(out, grid);
    ClockBytes.write(out, clock);
  }

  /**
   * The token of a caller who has seen all that both tokens stand for.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} where they are of two grids
   */
  public CausalToken join(CausalToken other) {
    if (isNone() || other.isNone()) {
      return isNone() ? other : this;
    }
    if (!Objects.equals(grid, other.grid)) {
      throw new CanopyException(
          ErrorCode.INVALID_TOKEN,
          String.format(
              Locale.ROOT,
              "the tokens are of two grids: one of %s, one of %s",
              GridId.text(grid),
              GridId.text(other.grid)));
    }
    return of(grid, clock.join(other.clock));
  }

  private boolean isNone() {
    return grid == null && clock.size() == 0;
  }

  /** The grid that the token is of; empty: it does not say, as {@link #NONE}. */
  public Optional<GridId> grid() {
    return Optional.ofNullable(grid);
  }

  /**
   * Checks that the token means something in a grid, for implementations of {@link Canopy}.
   *
   * @param present the grid; null: it has no id, as in a simulation
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} where it is of another one
   */
  public void checkOf(@Nullable GridId present) {
    if (!isNone() && !Objects.equals(grid, present)) {
      throw new CanopyException(
          ErrorCode.INVALID_TOKEN,
          String.format(
              Locale.ROOT,
              "the token is of %s, not of this one, %s: what it stands for is not here",
              GridId.text(grid),
              GridId.text(present)));
    }
  }

  /** The token's clock, for classes that implement {@link Canopy}. */
  public VectorClock clock() {
    return clock;
  }

  /** A portable form: some 25 bytes, and about 10 more for each shard seen. */
  public byte[] toBytes() {
    ByteWriter body = new ByteWriter(32 + 10 * clock.size());
    write(body);
    return TokenBytes.seal(TokenBytes.CAUSAL, body);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CausalToken t && Objects.equals(grid, t.grid) && clock.equals(t.clock);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hashCode(grid) + clock.hashCode();
  }

  /** The bytes as text of letters, digits, '-' and '_', see {@link #parse}. */
  @Override
  public String toString() {
    return TokenBytes.print(toBytes());
  }
}
