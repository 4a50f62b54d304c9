package io.canopygrid;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A part of an index that is in one place, and what it is used for. The arrays are not to be
 * changed.
 *
 * @param from the lowest key, inclusive, as bytes; it ends where the next one begins
 * @param node the node that serves it, as {@code canopy status} names it; empty: none does now
 * @param shard its shard
 * @param entries how many it has
 * @param bytes of their keys and values
 * @param readsPerSecond of late: keys, pages of scans, and counts; a large one counts as several
 * @param writesPerSecond of late: keys written and removed
 * @param cuts keys that cut its use into parts of about the same size, ascending: where they are
 *     close together it is hot; empty where it is not used enough to know
 */
public record Subtree(
    byte[] from,
    String node,
    int shard,
    long entries,
    long bytes,
    double readsPerSecond,
    double writesPerSecond,
    List<byte[]> cuts) {
  /** The weight of a write in {@link #load}: it is validated, ordered and copied. */
  public static final int WRITE_WEIGHT = 4;

  /** Copies the list. */
  public Subtree {
    cuts = List.copyOf(cuts);
  }

  /**
   * The use of the subtree as one number, by which the grid is balanced: reads and {@value
   * #WRITE_WEIGHT} times writes per second.
   */
  public double load() {
    return readsPerSecond + WRITE_WEIGHT * writesPerSecond;
  }

  /** For people; keys in hexadecimal. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return String.format(
        Locale.ROOT,
        "Subtree[from=%s, node=%s, shard=%d, entries=%d, bytes=%d, readsPerSecond=%s, writesPerSecond=%s, cuts=%s]",
        hex.formatHex(from),
        node,
        shard,
        entries,
        bytes,
        readsPerSecond,
        writesPerSecond,
        cuts.stream().map(hex::formatHex).collect(Collectors.joining(", ", "[", "]")));
  }
}
