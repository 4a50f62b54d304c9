package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.ReadAnswer;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a subtree is cut: it walks from the end that is to go until there is as much as is
 * wanted, or as much as one transaction may move. Tombstones are marked in their old places, so
 * they count for what a transaction may move.
 */
final class CutPoint {
  private final SplitLimits limits;
  private final Demand demand;
  private final boolean lower;
  private long live;
  private int written;
  private long bytes;
  private byte @Nullable [] taken;
  private byte @Nullable [] separator;

  private CutPoint(Demand demand, SplitLimits limits) {
    this.limits = limits;
    this.demand = demand;
    this.lower = demand.to() == Closing.To.LEFT;
  }

  /** The part that is to go; null where nothing would be left although something must be. */
  static @Nullable Closing find(
      StructureReads reads, long kcl, SubtreeHeader header, Demand demand, SplitLimits limits)
      throws TimeoutException {
    CutPoint cut = new CutPoint(demand, limits);
    byte[] at = cut.walk(reads, kcl, header);
    if (at == null && demand.from() != null) {
      // A cut wins nothing where nothing is there.
      return cut.taken == null ? null : new Closing(demand.to(), demand.from(), demand.shard());
    }
    if (at == null && !demand.whole()) {
      return null;
    }
    byte[] whole = demand.to() == Closing.To.LEFT ? header.high() : header.low();
    return new Closing(demand.to(), at == null ? whole : at, demand.shard());
  }

  /** The key at which it is cut; null where all would go. */
  private byte @Nullable [] walk(StructureReads reads, long kcl, SubtreeHeader header)
      throws TimeoutException {
    byte[] bound = demand.from();
    byte[] from = EntryKeys.ku(bound == null ? header.low() : bound);
    byte[] to = EntryKeys.endKu(header.high());
    while (true) {
      ReadAnswer.Scanned page = reads.scan(kcl, from, to, !lower);
      for (ReadAnswer.Entry entry : page.entries()) {
        if (add(entry)) {
          return separator;
        }
        if (lower) {
          from = StructureReads.after(entry.ku());
        } else {
          to = entry.ku();
        }
      }
      if (page.complete()) {
        return null;
      }
    }
  }

  /** Takes the next entry; true when the place is found. */
  private boolean add(ReadAnswer.Entry entry) {
    byte[] key = EntryKeys.userKey(entry.ku());
    byte[] value = entry.value();
    boolean enough =
        live >= demand.entries()
            || written >= limits.movedEntriesMax()
            || bytes >= limits.movedBytesMax();
    if (enough && taken != null && (value != null || demand.whole())) {
      separator = lower ? Keys.separator(taken, key) : Keys.separator(key, taken);
      return true;
    }
    taken = key;
    written++;
    live += value == null ? 0 : 1;
    bytes += key.length + (value == null ? 0 : value.length);
    return false;
  }
}
