package io.canopygrid.btree.access.read;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadQuery;
import org.jspecify.annotations.Nullable;

/**
 * The question that a walk asks the subtrees of a range. The arrays are not to be changed.
 *
 * @param from lowest key, inclusive
 * @param to end, exclusive; null: that of the index
 * @param limit most live entries of one answer; 0: they are counted only, forward
 */
public record RangeQuestion(
    byte[] from, byte @Nullable [] to, boolean reverse, int limit, boolean values) {
  /** Asks for the number of entries. */
  static RangeQuestion count(byte[] from, byte @Nullable [] to) {
    return new RangeQuestion(from, to, false, 0, false);
  }

  /** The first part of it, in a subtree. */
  RangePart in(long kcl) {
    return new RangePart(kcl, reverse ? EntryKeys.endKu(to) : EntryKeys.ku(from));
  }

  /** The query for a part of it. */
  ReadQuery query(RangePart part) {
    byte[] start = part.start();
    if (reverse) {
      return new ReadQuery.Scan(part.kcl(), EntryKeys.ku(from), start, true, limit, values);
    }
    byte[] begin = Invariant.present(start, "a part begins somewhere");
    byte[] end = EntryKeys.endKu(to);
    return limit == 0
        ? new ReadQuery.Count(part.kcl(), begin, end)
        : new ReadQuery.Scan(part.kcl(), begin, end, false, limit, values);
  }

  /** Where it begins: the key, or, in reverse, the end that it goes down from. */
  byte @Nullable [] start() {
    return reverse ? to : from;
  }
}
