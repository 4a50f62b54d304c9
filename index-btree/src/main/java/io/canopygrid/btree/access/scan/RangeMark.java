package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.ReadAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of one subtree that a scan has seen: a range that grows in the scan's direction as
 * entries are handed out, and every key in it, tombstones included. Confined to the transaction's
 * thread.
 */
final class RangeMark {
  private final long kcl;
  private byte[] from;
  private byte @Nullable [] to;
  private boolean empty = true;

  /** The greatest key seen by a forward scan, where {@link #to} has not been brought up to it. */
  private byte @Nullable [] last;

  private final List<ReadAnswer.Entry> found = new ArrayList<>();

  /**
   * A scan that has seen nothing yet.
   *
   * @param from lowest key it may see, inclusive; where a forward scan begins
   * @param to end of what it may see, exclusive, null: none; where a reverse scan begins
   */
  RangeMark(long kcl, byte[] from, byte @Nullable [] to) {
    this.kcl = kcl;
    this.from = from;
    this.to = to;
  }

  boolean isOf(long subtree) {
    return kcl == subtree;
  }

  void found(ReadAnswer.Entry entry) {
    found.add(entry);
  }

  /** A forward scan has seen all up to this key, inclusive. */
  void reached(byte[] key) {
    last = key;
    empty = false;
  }

  /** A forward scan has seen all below this end; null: all. */
  void reachedEnd(byte @Nullable [] end) {
    last = null;
    to = end;
    empty = false;
  }

  /** A reverse scan has seen all from this key on. */
  void reachedStart(byte[] start) {
    from = start;
    empty = false;
  }

  boolean isEmpty() {
    return empty;
  }

  RangeRead toRangeRead() {
    List<KeyRead> keys = new ArrayList<>(found.size());
    for (ReadAnswer.Entry entry : found) {
      keys.add(new KeyRead(CompositeKey.of(kcl, entry.ku()), entry.seen()));
    }
    byte[] end = last == null ? to : KeyRange.successor(last);
    return new RangeRead(kcl, EntryKeys.ku(from), EntryKeys.endKu(end), keys);
  }
}
