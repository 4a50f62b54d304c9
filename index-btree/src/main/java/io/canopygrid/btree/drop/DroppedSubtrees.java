package io.canopygrid.btree.drop;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes round the subtrees of dropped indexes in a copy of TOP, a bounded part at a time: a snapshot
 * keeps notes of drops, and what the crown had of the indexes, for as long as it is kept itself.
 * Confined to one thread.
 */
final class DroppedSubtrees {
  private static final byte[] FIRST = ReservedKcl.DROPS.firstKey();

  private final int entriesMax;

  /** The key of the note that is looked at next. */
  private byte[] note = FIRST;

  /** The key of the crown at which its index is looked at next; null: at the beginning. */
  private byte @Nullable [] inside;

  /** Whether the crown has had something of the index before {@link #inside}. */
  private boolean found;

  /**
   * Begins at the first note.
   *
   * @param entriesMax most entries of the crown and notes of one part
   */
  DroppedSubtrees(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  /**
   * A part of the round.
   *
   * @param subtrees of dropped indexes, as far as the copy has them
   * @param empty the drops of which the copy has no subtree
   */
  record Part(List<CrownEntry> subtrees, List<DropEntry.Known> empty) {}

  /** The next part; after the last one comes the first. */
  Part next(OrderedView<VersionChain> top) {
    Part part = new Part(new ArrayList<>(), new ArrayList<>());
    int left = entriesMax;
    List<DropEntry.Known> notes = DropEntry.from(top, note, left);
    for (DropEntry.Known known : notes) {
      byte[] key = known.drop().key().bytes();
      if (!Arrays.equals(key, note)) {
        begin(key); // the one that was looked at is forgotten
      }
      left = look(top, known.drop().index().number(), left - 1, part.subtrees());
      if (inside != null) {
        return part;
      }
      if (!found) {
        part.empty().add(known);
      }
      begin(Arrays.copyOf(key, key.length + 1));
      if (left <= 0) {
        return part;
      }
    }
    begin(FIRST);
    return part;
  }

  private void begin(byte[] key) {
    note = key;
    inside = null;
    found = false;
  }

  /** Looks at the crown's entries of an index; how many more may be looked at. */
  private int look(OrderedView<VersionChain> top, int index, int max, List<CrownEntry> subtrees) {
    byte[] from = inside;
    byte[] end = firstOf(index + 1);
    OrderedCursor<VersionChain> cursor = top.ascending(from == null ? firstOf(index) : from);
    int left = max;
    while (cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      if (left <= 0) {
        inside = cursor.key();
        return left;
      }
      left--;
      byte[] value = cursor.value().value();
      if (value != null) {
        found = true;
        subtrees.add(CrownEntry.decode(CompositeKey.ofBytes(cursor.key()).ku(), value));
      }
    }
    inside = null;
    return left;
  }

  private static byte[] firstOf(int index) {
    return ReservedKcl.CROWN.key(CrownEntry.ku(index, new byte[0])).bytes();
  }
}
