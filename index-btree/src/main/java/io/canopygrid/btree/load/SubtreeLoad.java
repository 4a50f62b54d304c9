package io.canopygrid.btree.load;

import io.canopygrid.Subtree;
import io.canopygrid.btree.subtree.Keys;
import java.util.List;
import java.util.Locale;

/**
 * The size of a subtree and how much it is used, as told by the node that serves it. The arrays are
 * not to be changed.
 *
 * @param kcl the subtree
 * @param entries how many are live
 * @param bytes of their keys and values
 * @param readsPerSecond point reads, pages of scans and counts, of late
 * @param writesPerSecond keys written and removed, of late
 * @param seenMillis for how long it has been watched with the range that it has now, at least 0
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

  /** Copies the list. */
  public SubtreeLoad {
    cuts = List.copyOf(cuts);
  }

  /** For people; keys in hexadecimal. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "SubtreeLoad[kcl=%d, entries=%d, bytes=%d, readsPerSecond=%s, writesPerSecond=%s, seenMillis=%d, cuts=%s]",
        kcl,
        entries,
        bytes,
        readsPerSecond,
        writesPerSecond,
        seenMillis,
        cuts.stream().map(Keys::text).toList());
  }

  /** Reads and writes per second as one number, a read being 1. */
  public double perSecond() {
    return readsPerSecond + Subtree.WRITE_WEIGHT * writesPerSecond;
  }

  /**
   * The variance of {@link #perSecond} by chance, if each use comes by itself. The rate of a
   * subtree that is used seldom or was watched for a short time is known badly.
   *
   * @param memorySeconds the age at which a use counts 1/e for the rates, above 0
   */
  public double variance(double memorySeconds) {
    // A mean over this time with equal weights would be as good as this one, whose weights fall.
    double seconds = 2 * memorySeconds * Math.tanh(seenMillis / 1e3 / (2 * memorySeconds));
    double squares = readsPerSecond + Subtree.WRITE_WEIGHT * Subtree.WRITE_WEIGHT * writesPerSecond;
    return squares == 0 ? 0 : squares / seconds;
  }
}
