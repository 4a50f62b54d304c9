package io.canopygrid.btree.access.read;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part of a range that one subtree is asked for.
 *
 * @param start its lowest ku; in reverse the end that it goes down from, null: that of the index
 */
record RangePart(long kcl, byte @Nullable [] start) {
  boolean isSame(RangePart other) {
    return kcl == other.kcl && Arrays.equals(start, other.start);
  }
}
