package io.canopygrid.btree.access;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves what a transaction read and wrote in one subtree to where it is now (docs/decisions/0005).
 * What is still within the subtree's fences stays; a range that crosses its end is cut there, and
 * its keys go with their part. Writers stay as they were read: a moved entry keeps its writer, so
 * what was valid is valid there.
 */
final class Rehoming {
  private final long kcl;
  private final SubtreeHeader header;
  private final Right right;
  private boolean changed;

  private Rehoming(long kcl, SubtreeHeader header, Right right) {
    this.kcl = kcl;
    this.header = header;
    this.right = right;
  }

  /** Finds the subtree of a key that is at or above a subtree's end. */
  interface Right {
    long of(SubtreeHeader header, byte[] key);
  }

  /**
   * The footprint with the part of a subtree that it does not cover any more at its new place; the
   * very same one where it covers all.
   *
   * @param header the subtree's newest header
   */
  static Footprint of(Footprint footprint, long kcl, SubtreeHeader header, Right right) {
    Rehoming rehoming = new Rehoming(kcl, header, right);
    List<KeyRead> reads = rehoming.keyReads(footprint.reads());
    List<RangeRead> ranges = new ArrayList<>(footprint.ranges().size() + 1);
    for (RangeRead range : footprint.ranges()) {
      rehoming.addRange(range, ranges);
    }
    List<Write> writes = rehoming.writes(footprint.writes());
    return rehoming.changed ? new Footprint(reads, ranges, writes) : footprint;
  }

  private List<KeyRead> keyReads(List<KeyRead> reads) {
    List<KeyRead> moved = new ArrayList<>(reads.size());
    for (KeyRead read : reads) {
      CompositeKey key = home(read.key());
      moved.add(key == null ? read : new KeyRead(key, read.seen()));
    }
    return moved;
  }

  private List<Write> writes(List<Write> writes) {
    List<Write> moved = new ArrayList<>(writes.size());
    for (Write write : writes) {
      CompositeKey key = home(write.key());
      moved.add(key == null ? write : new Write(key, write.value(), write.origin()));
    }
    return moved;
  }

  /** A key's new place, null where it stays. */
  private @Nullable CompositeKey home(CompositeKey key) {
    if (key.kcl() != kcl) {
      return null;
    }
    byte[] userKey = EntryKeys.userKey(key);
    if (header.isBelowHigh(userKey)) {
      return null;
    }
    changed = true;
    return EntryKeys.of(right.of(header, userKey), userKey);
  }

  private void addRange(RangeRead range, List<RangeRead> ranges) {
    byte[] high = header.high();
    if (range.kcl() != kcl || high == null || !isBeyond(range.to(), high)) {
      ranges.add(range);
      return;
    }
    changed = true;
    byte[] from = EntryKeys.userKey(range.from());
    byte[] cut = high;
    List<KeyRead> above = new ArrayList<>();
    if (header.isBelowHigh(from)) {
      List<KeyRead> below = new ArrayList<>();
      for (KeyRead found : range.found()) {
        (home(found.key()) == null ? below : above).add(found);
      }
      ranges.add(new RangeRead(kcl, range.from(), EntryKeys.ku(high), below));
    } else {
      cut = from;
      above.addAll(range.found());
    }
    long target = right.of(header, cut);
    ranges.add(new RangeRead(target, EntryKeys.ku(cut), range.to(), at(target, above)));
  }

  private static List<KeyRead> at(long target, List<KeyRead> found) {
    List<KeyRead> moved = new ArrayList<>(found.size());
    for (KeyRead key : found) {
      moved.add(new KeyRead(CompositeKey.of(target, key.key().ku()), key.seen()));
    }
    return moved;
  }

  /** Whether the end of a range of ku is beyond a subtree's end. */
  private static boolean isBeyond(byte @Nullable [] toKu, byte[] high) {
    return toKu == null || EntryKeys.compare(toKu, high) > 0;
  }
}
