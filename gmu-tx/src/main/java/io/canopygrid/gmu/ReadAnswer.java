package io.canopygrid.gmu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of a shard's owner to a {@link ReadQuery}. */
public sealed interface ReadAnswer {
  /** The key's value in the snapshot, null where it has none. */
  record Got(byte @Nullable [] value, Seen seen) implements ReadAnswer {}

  /**
   * Entries in the order asked for, tombstones included (they are part of what was seen).
   *
   * @param header the kcl's header in this snapshot, null where it has none: beyond its fences the
   *     answer says nothing, the scan ends there ({@link io.canopygrid.gmu.spi.Fences#end})
   * @param complete all of the range that the kcl covers was scanned; false: the limit, or the
   *     bound on an answer's size, stopped the scan after the last entry
   */
  record Scanned(byte @Nullable [] header, List<Entry> entries, boolean complete)
      implements ReadAnswer {}

  /**
   * One entry of a scan.
   *
   * @param value null for a tombstone, and where only keys were asked for (then see {@code seen})
   */
  record Entry(byte[] ku, byte @Nullable [] value, Seen seen) {}

  /**
   * The number of live entries up to the kcl's end.
   *
   * @param header as of {@link Scanned}
   */
  record Counted(byte @Nullable [] header, long entries) implements ReadAnswer {}

  /**
   * Nothing was read: the kcl does not cover the key, or the place where the scan starts, in this
   * snapshot, or not any more. A reverse scan starts just below its end.
   *
   * @param header the kcl's header in the snapshot, or, where there was none yet, its first one;
   *     empty where it has none at all ({@link io.canopygrid.gmu.spi.Fences#needsHeader})
   * @param unborn the kcl did not exist in this snapshot: its keys were where it came from
   */
  record Redirected(byte[] header, boolean unborn) implements ReadAnswer {}

  /** The snapshot is below the horizon; what it may need could be gone. */
  record TooOld() implements ReadAnswer {}

  /** No owner of the shard is in this partition. */
  record Unavailable(int shard) implements ReadAnswer {}
}
