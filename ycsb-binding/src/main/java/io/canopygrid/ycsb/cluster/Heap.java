package io.canopygrid.ycsb.cluster;

import java.util.regex.Pattern;

/** The size of a JVM's heap, as its options take it. */
public final class Heap {
  private static final Pattern SIZE = Pattern.compile("[1-9][0-9]{0,8}[kKmMgG]");

  private Heap() {}

  /**
   * Checks a size.
   *
   * @throws IllegalArgumentException if it is not a number and k, m or g
   */
  public static void require(String size) {
    if (!SIZE.matcher(size).matches()) {
      throw new IllegalArgumentException("heap must be a number and k, m or g, as in 1g: " + size);
    }
  }
}
