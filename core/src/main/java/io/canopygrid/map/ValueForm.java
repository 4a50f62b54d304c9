package io.canopygrid.map;

import io.canopygrid.Codec;
import java.util.Arrays;

/** Compares values: as objects, or by their encoded form. As thread-safe as the codec. */
record ValueForm<V>(Codec<V> codec) {
  /**
   * Whether a caller's object is a value of the index. Two values that encode to the same bytes are
   * the same, so arrays are, and objects of classes without {@code equals}.
   */
  @SuppressWarnings("unchecked") // both are of one class
  boolean same(V stored, Object given) {
    return stored.equals(given)
        || (stored.getClass() == given.getClass()
            && Arrays.equals(codec.encode(stored), codec.encode((V) given)));
  }
}
