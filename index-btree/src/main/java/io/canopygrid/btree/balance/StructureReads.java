package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads of headers and whole ranges by a structure change. Confined to one thread. */
final class StructureReads {
  /** Entries asked for at a time. */
  private static final int PAGE_ENTRIES = 1_000;

  private final GmuTransaction transaction;

  StructureReads(GmuTransaction transaction) {
    this.transaction = transaction;
  }

  /**
   * A header as it was read.
   *
   * @param read what the commit has to validate
   */
  record Read(SubtreeHeader header, KeyRead read) {}

  /** The header of a subtree, null where it has none in this snapshot. */
  @Nullable Read header(long kcl) throws TimeoutException {
    CompositeKey key = CompositeKey.header(kcl);
    ReadAnswer answer = transaction.read(new ReadQuery.Get(key));
    if (!(answer instanceof ReadAnswer.Got got)) {
      throw unavailable(answer);
    }
    return got.value() == null
        ? null
        : new Read(SubtreeHeader.decode(got.value()), new KeyRead(key, got.seen()));
  }

  /** The claim that a kcl has never had a header: it is validated at commit, not read. */
  static KeyRead unused(long kcl) {
    return new KeyRead(CompositeKey.header(kcl), Seen.ABSENT);
  }

  /** The entries of a subtree from a ku to a ku, ascending, tombstones included. */
  List<ReadAnswer.Entry> entries(long kcl, byte[] from, byte @Nullable [] to)
      throws TimeoutException {
    List<ReadAnswer.Entry> entries = new ArrayList<>();
    byte[] next = from;
    while (true) {
      ReadAnswer.Scanned page = scan(kcl, next, to, false);
      entries.addAll(page.entries());
      if (page.complete()) {
        return entries;
      }
      next = after(entries.get(entries.size() - 1).ku());
    }
  }

  /**
   * One page of entries in either direction; an empty range has an empty page, also at the
   * subtree's end.
   */
  ReadAnswer.Scanned scan(long kcl, byte[] from, byte @Nullable [] to, boolean reverse)
      throws TimeoutException {
    if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
      return new ReadAnswer.Scanned(null, List.of(), true);
    }
    ReadAnswer answer =
        transaction.read(new ReadQuery.Scan(kcl, from, to, reverse, PAGE_ENTRIES, true));
    if (answer instanceof ReadAnswer.Scanned page) {
      Invariant.holds(
          page.complete() || !page.entries().isEmpty(), "an answer that goes on has entries");
      return page;
    }
    throw unavailable(answer);
  }

  /** The ku right above another. */
  static byte[] after(byte[] ku) {
    return Arrays.copyOf(ku, ku.length + 1);
  }

  private static TimeoutException unavailable(ReadAnswer answer) {
    return new TimeoutException(
        "a structure change could not read: " + answer.getClass().getSimpleName());
  }
}
