package io.canopygrid.gmu.spi;

import org.jspecify.annotations.Nullable;

/** Reads a kcl's header: which ku it covers. Pure and thread-safe. */
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
}
