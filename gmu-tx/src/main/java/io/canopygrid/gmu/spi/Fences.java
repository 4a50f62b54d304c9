package io.canopygrid.gmu.spi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kcl's header: which ku it covers. Pure and thread-safe.
 *
 * <p>A transaction that writes a kcl's header is not checked against that header: it is the
 * structure change itself.
 */
public interface Fences {
  /** Every kcl covers everything: for a grid without headers. */
  Fences NONE =
      new Fences() {
        @Override
        public boolean covers(byte[] header, byte[] ku) {
          return true;
        }

        @Override
        public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
          return true;
        }

        @Override
        public boolean accepts(byte[] header, byte[] ku) {
          return true;
        }
      };

  /** Whether the kcl with this header has all there is of a ku. */
  boolean covers(byte[] header, byte[] ku);

  /** Whether it has all there is from {@code from}, inclusive, to {@code to}, exclusive. */
  boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to);

  /** Whether a write of this ku may commit here; false also while its part is being moved away. */
  boolean accepts(byte[] header, byte[] ku);

  /**
   * The end, exclusive, of what a kcl with this header covers; null: it has no end. A scan is cut
   * off there and is complete.
   */
  default byte @Nullable [] end(byte[] header) {
    return null;
  }

  /** Whether it has the ku right below an end, exclusive; null: those below no end. */
  default boolean coversBelow(byte[] header, byte @Nullable [] to) {
    byte[] end = end(header);
    return end == null || (to != null && Arrays.compareUnsigned(to, end) <= 0);
  }

  /**
   * Whether a kcl covers nothing before it has a header. The one that a dirty read of the crown
   * already knows may not have been applied at its own shard yet: a read there is {@link
   * io.canopygrid.gmu.ReadAnswer.Redirected} as unborn with an empty header, a prepare is refused
   * as MOVED without one.
   */
  default boolean needsHeader(long kcl) {
    return false;
  }
}
