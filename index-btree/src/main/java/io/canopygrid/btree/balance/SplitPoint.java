package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.ReadAnswer;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a subtree is cut: in the middle, or above it where the upper half would be more
 * than one split may move. Walks down from the greatest key.
 */
final class SplitPoint {
  private final SplitLimits limits;
  private final long wanted;
  private int moved;
  private long bytes;
  private byte @Nullable [] lowestMoved;
  private byte @Nullable [] separator;

  private SplitPoint(SplitLimits limits, long entries) {
    this.limits = limits;
    this.wanted = Math.min(Math.max(entries / 2, 1), limits.movedEntriesMax());
  }

  /**
   * The key from which on entries are to be moved, null where there are not two.
   *
   * @param entries how many live entries the subtree has, about
   */
  static byte @Nullable [] find(
      StructureReads reads, long kcl, SubtreeHeader header, long entries, SplitLimits limits)
      throws TimeoutException {
    SplitPoint point = new SplitPoint(limits, entries);
    byte[] from = EntryKeys.ku(header.low());
    byte[] to = EntryKeys.endKu(header.high());
    while (true) {
      ReadAnswer.Scanned page = reads.scan(kcl, from, to, true);
      for (ReadAnswer.Entry entry : page.entries()) {
        to = entry.ku();
        if (point.add(entry)) {
          return point.separator;
        }
      }
      if (page.complete()) {
        return null;
      }
    }
  }

  /** Takes the next lower entry; true when the place is found. */
  private boolean add(ReadAnswer.Entry entry) {
    if (entry.value() == null) {
      return false;
    }
    byte[] key = EntryKeys.userKey(entry.ku());
    if (lowestMoved != null && (moved >= wanted || bytes >= limits.movedBytesMax())) {
      separator = Keys.separator(key, lowestMoved);
      return true;
    }
    lowestMoved = key;
    moved++;
    bytes += key.length + entry.value().length;
    return false;
  }
}
