package io.canopygrid.btree.balance;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.RetiredEntry;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.TxId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of one transaction that carries the closing part of a subtree to another:
 * the entries, the headers of both and of the neighbours whose links change, and the crown. If the
 * part is the whole subtree, the subtree is retired. Confined to one thread.
 */
final class Shift {
  private final StructureReads source;
  private final long kcl;
  private final SubtreeHeader own;
  private final Closing part;
  private final boolean whole;
  private final List<KeyRead> reads = new ArrayList<>();
  private final List<Write> writes = new ArrayList<>();
  private int entries;

  /** Whether a neighbour was dropped, and the subtree will be next. */
  private boolean isDropping;

  /** The shift of a subtree's closing part. */
  Shift(StructureReads source, long kcl, StructureReads.Read own) {
    this.source = source;
    this.kcl = kcl;
    this.own = own.header();
    this.part = Invariant.present(this.own.closing(), "the subtree is closing");
    this.whole = this.own.closesWhole();
    reads.add(own.read());
  }

  List<KeyRead> reads() {
    return reads;
  }

  List<Write> writes() {
    return writes;
  }

  /** The number of live entries that go. */
  int entries() {
    return entries;
  }

  /** The subtree that takes the part if it goes to a neighbour, else {@link SubtreeHeader#NONE}. */
  long neighbour() {
    return switch (part.to()) {
      case NEW -> SubtreeHeader.NONE;
      case RIGHT -> own.right();
      case LEFT -> own.left();
    };
  }

  /**
   * Collects all.
   *
   * @param target a new kcl, or the neighbour
   * @return false where the neighbour is about to give a part away itself, or was dropped with the
   *     index
   */
  boolean to(long target) throws TimeoutException {
    SubtreeHeader taker = null;
    if (part.to() != Closing.To.NEW) {
      StructureReads.Read read = neighbour(target);
      if (read == null || read.header().closing() != null) {
        return false;
      }
      taker = read.header();
      reads.add(read.read());
    }
    switch (part.to()) {
      case NEW -> toNew(target);
      case RIGHT -> toRight(target, Invariant.present(taker, "read"));
      case LEFT -> toLeft(target, Invariant.present(taker, "read"));
    }
    if (whole) {
      RetiredEntry retired = new RetiredEntry(kcl);
      writes.add(new Write(retired.key(), new byte[0], null));
    }
    moveEntries(target);
    return !isDropping;
  }

  private void toNew(long target) throws TimeoutException {
    byte[] from = Invariant.present(part.at(), "an upper part has a beginning");
    reads.add(StructureReads.unused(target));
    write(kcl, whole ? own.retired(target) : own.withHigh(from, target));
    write(target, own.born(from, kcl, whole ? own.left() : kcl));
    if (whole) {
      linkRight(own.left(), target);
    }
    linkLeft(own.right(), target);
    lead(from, target, kcl);
  }

  private void toRight(long target, SubtreeHeader taker) throws TimeoutException {
    byte[] from = Invariant.present(part.at(), "an upper part has a beginning");
    write(kcl, whole ? own.retired(target) : own.withHigh(from, target));
    write(target, taken(taker.withLow(from, whole ? own.left() : kcl)));
    if (whole) {
      linkRight(own.left(), target);
    }
    leadNowhere(taker.low());
    lead(from, target, taker.cameFrom());
  }

  private void toLeft(long target, SubtreeHeader taker) throws TimeoutException {
    byte[] end = part.at();
    leadNowhere(own.low());
    if (whole) {
      write(kcl, own.retired(target));
      write(target, taken(taker.withHigh(own.high(), own.right())));
      linkLeft(own.right(), target);
    } else {
      byte[] rest = Invariant.present(end, "what is left begins somewhere");
      write(kcl, own.withLow(rest, target));
      write(target, taken(taker.withHigh(rest, kcl)));
      lead(rest, kcl, own.cameFrom());
    }
  }

  /**
   * Writers of the keys that are taken have to know there what they had to know here, and the keys
   * that prepared transactions hold are held there.
   */
  private SubtreeHeader taken(SubtreeHeader taker) {
    return taker.withSchema(own.schema()).withLocksOf(own);
  }

  private void linkLeft(long right, long target) throws TimeoutException {
    if (right != SubtreeHeader.NONE) {
      StructureReads.Read read = neighbour(right);
      if (read != null) {
        reads.add(read.read());
        write(right, read.header().withLeft(target));
      }
    }
  }

  private void linkRight(long left, long target) throws TimeoutException {
    if (left != SubtreeHeader.NONE) {
      StructureReads.Read read = neighbour(left);
      if (read != null) {
        reads.add(read.read());
        write(left, read.header().withRight(target));
      }
    }
  }

  /** Null: the neighbour was dropped. A subtree without a header was, because others are linked. */
  private StructureReads.@Nullable Read neighbour(long subtree) throws TimeoutException {
    StructureReads.Read read = source.header(subtree);
    if (read == null || read.header().isDropped()) {
      isDropping = true;
      return null;
    }
    Invariant.holds(!read.header().isRetired(), "a subtree's neighbour is not retired: %s", read);
    return read;
  }

  /** The crown leads from here on to a subtree. */
  private void lead(byte[] from, long to, long cameFrom) {
    CrownEntry entry = new CrownEntry(own.index(), from, to, cameFrom);
    writes.add(new Write(entry.key(), entry.value(), null));
  }

  private void leadNowhere(byte[] from) {
    CompositeKey key = ReservedKcl.CROWN.key(CrownEntry.ku(own.index(), from));
    writes.add(new Write(key, null, null));
  }

  private void write(long subtree, SubtreeHeader header) {
    writes.add(new Write(CompositeKey.header(subtree), header.encode(), null));
  }

  /**
   * Moves the entries. A copy keeps its writer, so nothing has changed for a reader. An old entry,
   * also a tombstone, is marked as moved away: if the key ever comes back, nothing of the old entry
   * is left.
   */
  private void moveEntries(long target) throws TimeoutException {
    byte @Nullable [] at = part.at();
    byte[] from = part.isLower() ? own.low() : Invariant.present(at, "an upper part begins");
    byte @Nullable [] to = part.isLower() ? at : own.high();
    for (ReadAnswer.Entry entry : source.entries(kcl, EntryKeys.ku(from), EntryKeys.endKu(to))) {
      if (entry.value() != null) {
        entries++;
        writes.add(
            new Write(CompositeKey.of(target, entry.ku()), entry.value(), entry.seen().writer()));
      }
      writes.add(new Write(CompositeKey.of(kcl, entry.ku()), null, TxId.NOBODY));
    }
  }
}
