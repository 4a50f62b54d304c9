package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.PagesAhead;
import io.canopygrid.btree.access.read.RangeQuestion;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Entries that become whole subtrees (docs/decisions/0009). The subtree that covers their range
 * must have no key in that range; it is filled up. Entries that do not fit become new subtrees to
 * the right of it. The last of these takes the entries that the old subtree had above the range.
 * Entries, headers, links and crown are written by one transaction, which validates that the place
 * is empty: so a snapshot shows all of it or nothing. Confined to the transaction's thread.
 */
final class BulkLoad {
  /** New subtrees are filled so far, in quarters of what they may have: they can grow a while. */
  private static final int FILL_QUARTERS = 3;

  /** Most new subtrees of one transaction: more entries make them larger, and split later. */
  private static final int BIRTHS_MAX = 64;

  /** Most entries that are found above the place, tombstones included. */
  private static final int ABOVE_MAX = 1_000;

  private final SharedParts shared;
  private final TransactionContext context;
  private final Snapshot snapshot;
  private final IndexRef index;
  private final SortedPart part;
  private final List<KeyRead> reads = new ArrayList<>();
  private final List<RangeRead> ranges = new ArrayList<>();
  private final List<Write> writes = new ArrayList<>();
  private int births;

  private BulkLoad(
      SharedParts shared,
      TransactionContext context,
      Snapshot snapshot,
      IndexRef index,
      SortedPart part) {
    this.shared = shared;
    this.context = context;
    this.snapshot = snapshot;
    this.index = index;
    this.part = part;
  }

  /**
   * Plans a load.
   *
   * @return null: the load makes no new subtree, or its place does not allow one; the entries have
   *     to be put one by one
   * @throws CanopyException {@link ErrorCode#KEY_EXISTS}, {@link ErrorCode#WRITE_CONFLICT}, {@link
   *     ErrorCode#LOCK_TIMEOUT} where a prepared transaction holds a key of the place
   */
  static @Nullable BulkLoad plan(
      SharedParts shared,
      TransactionContext context,
      Snapshot snapshot,
      IndexRef index,
      SortedPart part)
      throws TimeoutException {
    BulkLoad load = new BulkLoad(shared, context, snapshot, index, part);
    return load.plan() ? load : null;
  }

  private boolean plan() throws TimeoutException {
    RangeQuestion rest = new RangeQuestion(part.first(), null, false, ABOVE_MAX, true);
    PagesAhead ahead = snapshot.pagesAhead(index, null, false, 1);
    Snapshot.Page page = snapshot.scan(index, SubtreeHeader.NONE, rest, ahead);
    SubtreeHeader own = page.header();
    if (own == null || !page.complete() || !own.isBelowHigh(part.last())) {
      return false;
    }
    for (ReadAnswer.Entry entry : page.entries()) {
      if (entry.value() != null && EntryKeys.compare(entry.ku(), part.last()) <= 0) {
        throw new CanopyException(
            ErrorCode.KEY_EXISTS,
            String.format(
                Locale.ROOT,
                "index '%s' has key %s in the part that is to be loaded",
                index.name(),
                index.textOf(EntryKeys.userKey(entry.ku()))),
            CommitState.NOT_COMMITTED,
            context.id(),
            null,
            Map.of("index", index.name()));
      }
    }
    if (own.closing() != null) {
      throw shared.loadInTheWay(page.kcl(), context.id());
    }
    for (KeyLock lock : own.locks()) {
      if (lock.overlaps(part.first(), KeyRange.successor(part.last()))) {
        throw shared.held(index, lock.from(), lock, context.id());
      }
    }
    long below = countBelow(page.kcl(), own);
    int max = own.entriesMax();
    if (below + part.entries().size() + live(page.entries()) <= max) {
      return false;
    }
    write(page, own, below, groupSize(max));
    return true;
  }

  private int groupSize(int entriesMax) {
    int most = Math.max(1, (int) (FILL_QUARTERS * (long) entriesMax / 4));
    return Math.max(most, (part.entries().size() + BIRTHS_MAX - 1) / BIRTHS_MAX);
  }

  private static long live(List<ReadAnswer.Entry> entries) {
    return entries.stream().filter(entry -> entry.value() != null).count();
  }

  /**
   * The number of entries in the subtree below the place. A guess is enough: the number is not
   * validated.
   */
  private long countBelow(long kcl, SubtreeHeader own) throws TimeoutException {
    if (Arrays.equals(own.low(), part.first())) {
      return 0;
    }
    ReadAnswer answer =
        snapshot.ask(
            index, new ReadQuery.Count(kcl, EntryKeys.ku(own.low()), EntryKeys.ku(part.first())));
    return answer instanceof ReadAnswer.Counted counted ? counted.entries() : 0;
  }

  /** An entry and where it goes; {@code origin} as of a write. */
  private record Item(byte[] key, byte[] value, @Nullable TxId origin) {}

  private void write(Snapshot.Page page, SubtreeHeader own, long below, int size)
      throws TimeoutException {
    long kcl = page.kcl();
    List<SortedPart.Entry> all = part.entries();
    int stay = (int) Math.min(all.size(), Math.max(0, size - below));
    List<Item> rest = new ArrayList<>();
    all.subList(stay, all.size()).forEach(e -> rest.add(new Item(e.key(), e.value(), null)));
    for (ReadAnswer.Entry above : page.entries()) {
      byte[] value = above.value();
      if (value != null) {
        rest.add(new Item(EntryKeys.userKey(above.ku()), value, above.seen().writer()));
      }
    }
    Invariant.holds(!rest.isEmpty(), "what does not fit goes elsewhere");
    all.subList(0, stay).forEach(e -> put(kcl, new Item(e.key(), e.value(), null)));
    long[] kcls = shared.births().kcls((rest.size() + size - 1) / size);
    births = kcls.length;
    byte[][] lows = new byte[kcls.length][];
    for (int i = 0; i < kcls.length; i++) {
      List<Item> group = rest.subList(i * size, Math.min(rest.size(), (i + 1) * size));
      lows[i] = group.get(0).key();
      for (Item item : group) {
        put(kcls[i], item);
      }
    }
    validateAndLeave(kcl, own, page.entries(), lows[0]);
    link(kcl, own, kcls, lows);
  }

  /** Validates what was found, and removes what lies beyond the old subtree's new end. */
  private void validateAndLeave(
      long kcl, SubtreeHeader own, List<ReadAnswer.Entry> entries, byte[] newHigh) {
    List<KeyRead> found = new ArrayList<>();
    for (ReadAnswer.Entry entry : entries) {
      CompositeKey key = CompositeKey.of(kcl, entry.ku());
      found.add(new KeyRead(key, entry.seen()));
      if (EntryKeys.compare(entry.ku(), newHigh) >= 0) {
        writes.add(new Write(key, null, TxId.NOBODY));
      }
    }
    ranges.add(new RangeRead(kcl, EntryKeys.ku(part.first()), EntryKeys.endKu(own.high()), found));
  }

  /** Headers, links and crown. */
  private void link(long kcl, SubtreeHeader own, long[] kcls, byte[][] lows)
      throws TimeoutException {
    int last = kcls.length - 1;
    readHeader(kcl);
    writeHeader(kcl, own.withHigh(lows[0], kcls[0]));
    for (int i = 0; i <= last; i++) {
      reads.add(new KeyRead(CompositeKey.header(kcls[i]), Seen.ABSENT));
      SubtreeHeader born =
          new SubtreeHeader(
              own.index(),
              own.entriesMax(),
              lows[i],
              i == last ? own.high() : lows[i + 1],
              i == 0 ? kcl : kcls[i - 1],
              i == last ? own.right() : kcls[i + 1],
              kcl,
              null,
              SubtreeHeader.NONE,
              own.schema());
      writeHeader(kcls[i], born.withLocksOf(own));
      CrownEntry entry = new CrownEntry(own.index(), lows[i], kcls[i], kcl);
      writes.add(new Write(entry.key(), entry.value(), null));
    }
    if (own.right() != SubtreeHeader.NONE) {
      SubtreeHeader right = readHeader(own.right());
      writeHeader(own.right(), right.withLeft(kcls[last]));
    }
  }

  private SubtreeHeader readHeader(long kcl) throws TimeoutException {
    CompositeKey key = CompositeKey.header(kcl);
    ReadAnswer answer = snapshot.ask(index, new ReadQuery.Get(key));
    if (!(answer instanceof ReadAnswer.Got got)) {
      throw Failures.unanswered(answer, context.id());
    }
    reads.add(new KeyRead(key, got.seen()));
    byte[] value = got.value();
    if (value == null) {
      throw shared.loadInTheWay(kcl, context.id()); // the index is being dropped
    }
    return SubtreeHeader.decode(value);
  }

  private void put(long kcl, Item item) {
    writes.add(new Write(EntryKeys.of(kcl, item.key()), item.value(), item.origin()));
  }

  private void writeHeader(long kcl, SubtreeHeader header) {
    writes.add(new Write(CompositeKey.header(kcl), header.encode(), null));
  }

  /** Adds what the commit has to validate and to write. */
  void addTo(List<KeyRead> keys, List<RangeRead> scanned, List<Write> all) {
    keys.addAll(reads);
    scanned.addAll(ranges);
    all.addAll(writes);
    Invariant.holds(!writes.isEmpty(), "a planned load writes something");
  }

  /** The number of subtrees that the load makes. */
  int births() {
    return births;
  }
}
