package io.canopygrid.btree.load;

import java.util.List;

/**
 * What a subtree has and how much it is used, as the node says that serves it. The arrays are not
 * to be changed.
 *
 * @param kcl the subtree
 * @param entries how many are live
 * @param bytes of their keys and values
 * @param readsPerSecond point reads and pages of scans, of late
 * @param writesPerSecond keys written and removed, of late
 * @param seenMillis for how long it has been watched with the range that it has now
 * @param cuts up to {@value #CUTS_MAX} keys above its lowest that cut the use of it into parts of
 *     about an eighth, ascending; none where too little is known
 */
public record SubtreeLoad(
    long kcl,
    long entries,
    long bytes,
    double readsPerSecond,
    double writesPerSecond,
    long seenMillis,
    List<byte[]> cuts) {
  /** Most {@link #cuts}. */
  public static final int CUTS_MAX = 7;

  /** How much more a write costs than a read: it is validated, ordered and copied. */
  private static final double WRITE_WEIGHT = 4;

  /** Copies the list. */
  public SubtreeLoad {
    cuts = List.copyOf(cuts);
  }

  /** Reads and writes per second as one number, a read being 1. */
  public double perSecond() {
    return readsPerSecond + WRITE_WEIGHT * writesPerSecond;
  }
}
