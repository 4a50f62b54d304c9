package io.canopygrid.gmu.spi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kcl's header, which says what keys (ku) the kcl covers.
 *
 * <p><b>Threads:</b> any thread may call, within a read or a protocol step; every method is pure,
 * and quick. <b>Errors:</b> an exception says that the header is malformed, and stops the node.
 *
 * <p>A transaction that writes a kcl's header is not checked against that header: it is the
 * structure change itself.
 */
public interface Fences {
  /** For a grid without headers: every kcl covers everything. */
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

  /** Whether the kcl has all there is from {@code from}, inclusive, to {@code to}, exclusive. */
  boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to);

  /** Whether a write of this ku may commit here; false also while its part is being moved away. */
  boolean accepts(byte[] header, byte[] ku);

  /**
   * The end, exclusive, of what a kcl with this header covers; null: it has no end. A scan stops
   * there and is complete.
   */
  default byte @Nullable [] end(byte[] header) {
    return null;
  }

  /**
   * Whether the kcl has the keys right below an end.
   *
   * @param to the end, exclusive; null: the keys have no end
   */
  default boolean coversBelow(byte[] header, byte @Nullable [] to) {
    byte[] end = end(header);
    return end == null || (to != null && Arrays.compareUnsigned(to, end) <= 0);
  }

  /**
   * Whether a kcl covers nothing before it has a header. A dirty read of the crown can know a
   * header that has not been applied at its own shard yet. A read there is answered {@link
   * io.canopygrid.gmu.ReadAnswer.Redirected}, unborn, with an empty header; a prepare is refused as
   * MOVED without a header.
   */
  default boolean needsHeader(long kcl) {
    return false;
  }
}
