package io.canopygrid.btree.access.read;

import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's snapshot of the whole tree: asks the subtree that the crown leads to and goes on
 * where a redirect points (docs/internals/index.md, Finding and reaching a key). Confined to the
 * transaction's thread.
 */
public final class Snapshot extends QuerySender {
  /**
   * Most redirects of one read. Each goes to where the key was or is, or nearer to it among the
   * subtrees of the snapshot; more than this is a loop.
   */
  private static final int HOPS_MAX = 1 << 16;

  /** A subtree to which so many lead, and that is not there, is lost. */
  private static final int HOPS_TO_LOST = 1_000;

  /** Null as long as nobody has asked for it: most transactions find their keys at once. */
  private @Nullable UnbornSubtrees unborn;

  /** Null as long as no index is known to be dropped. */
  private @Nullable DroppedIndexes dropped;

  /**
   * The snapshot of a transaction.
   *
   * @param use where it is told what the transaction uses
   */
  public Snapshot(
      Router router, GmuTransaction transaction, TransactionContext context, OwnUse use) {
    super(router, transaction, context, use);
  }

  /**
   * A key as it was read.
   *
   * @param key where it is
   * @param value null where there is none
   */
  public record PointRead(CompositeKey key, byte @Nullable [] value, Seen seen) {}

  /**
   * Entries of one subtree, tombstones included.
   *
   * @param header null where the index does not exist in this snapshot
   * @param complete all there is in the subtree's part of the range
   */
  public record Page(
      long kcl, @Nullable SubtreeHeader header, List<ReadAnswer.Entry> entries, boolean complete) {}

  /**
   * The place that a read looks for.
   *
   * @param below the keys right below the key, null: below the end of the index; else the key
   */
  private record Place(byte @Nullable [] key, boolean below) {
    long towards(SubtreeHeader header) {
      return below ? header.towardsBelow(key) : header.towards(known());
    }

    /** The end below which the keys are. */
    byte @Nullable [] end() {
      return below ? key : KeyRange.successor(known());
    }

    @Nullable CrownEntry entry(Router router, int index, long deadlineNanos)
        throws TimeoutException {
      return below
          ? router.entryBelow(index, key, deadlineNanos)
          : router.entryOf(index, known(), deadlineNanos);
    }

    long route(Router router, int index, long deadlineNanos) throws TimeoutException {
      return below
          ? router.subtreeBelow(index, key, deadlineNanos)
          : router.subtreeOf(index, known(), deadlineNanos);
    }

    private byte[] known() {
      return Invariant.present(key, "a read that goes up begins somewhere");
    }
  }

  /**
   * A key.
   *
   * @param turn whether it waits for its turn there
   */
  public PointRead get(IndexRef wanted, byte[] key, ReadQuery.Turn turn) throws TimeoutException {
    IndexRef index = shown(wanted);
    Place sought = new Place(key, false);
    long kcl = isDropped(index) ? inOwnCrown(index, sought) : routed(index, sought);
    for (int hop = 0; kcl != SubtreeHeader.NONE; hop++) {
      CompositeKey place = EntryKeys.of(kcl, key);
      ReadAnswer answer = ask(index, new ReadQuery.Get(place, turn));
      if (answer instanceof ReadAnswer.Got got) {
        return new PointRead(place, got.value(), got.seen());
      }
      kcl = redirected(index, sought, kcl, answer, hop);
    }
    return dropped().findBefore(index)
        ? get(wanted, key, turn)
        : new PointRead(EntryKeys.of(index.firstSubtree(), key), null, Seen.ABSENT);
  }

  /**
   * A key where this node knows its place and has it at hand; null: {@link #get} finds it. Does not
   * block.
   */
  public @Nullable PointRead getAtHand(IndexRef index, byte[] key, ReadQuery.Turn turn)
      throws TimeoutException {
    long kcl = dropped == null ? router.subtreeAtHand(index.number(), key) : SubtreeHeader.NONE;
    if (kcl == SubtreeHeader.NONE) {
      return null;
    }
    CompositeKey place = EntryKeys.of(born(kcl), key);
    return askAtHand(index, new ReadQuery.Get(place, turn)) instanceof ReadAnswer.Got got
        ? new PointRead(place, got.value(), got.seen())
        : null;
  }

  /**
   * Entries of a range, in one subtree: the one that has its beginning, or, in reverse, its end.
   *
   * @param kcl where to look first, {@link SubtreeHeader#NONE}: where the crown says
   * @param ahead where the answer may be already
   */
  public Page scan(IndexRef index, long kcl, RangeQuestion question, PagesAhead ahead)
      throws TimeoutException {
    Found found = find(index, kcl, question, ahead);
    return found != null && found.answer instanceof ReadAnswer.Scanned scanned
        ? new Page(found.kcl, headerOf(scanned.header()), scanned.entries(), scanned.complete())
        : new Page(index.firstSubtree(), null, List.of(), true);
  }

  /**
   * The pages of a walk over a range.
   *
   * @param to where the walk ends, exclusive; null: with the index. Means nothing in reverse
   * @param atOnce how many pages are asked for at the same time, until told otherwise
   */
  public PagesAhead pagesAhead(IndexRef index, byte @Nullable [] to, boolean reverse, int atOnce) {
    return new PagesAhead(router, this, unborn(), index, to, reverse, atOnce);
  }

  /** The number of entries of a range. Each part is counted where it is. */
  public long count(IndexRef index, KeyRange range, PagesAhead ahead) throws TimeoutException {
    byte[] to = range.to();
    byte[] from = range.from();
    long kcl = SubtreeHeader.NONE;
    long count = 0;
    while (true) {
      Found found = find(index, kcl, RangeQuestion.count(from, to), ahead);
      if (found == null || !(found.answer instanceof ReadAnswer.Counted counted)) {
        return count;
      }
      count += counted.entries();
      SubtreeHeader header = headerOf(counted.header());
      byte[] high = header.high();
      if (high == null || (to != null && !header.isAboveHigh(to))) {
        return count;
      }
      from = high;
      kcl = header.right();
    }
  }

  /** The answer of the subtree that has the beginning of a range. */
  private record Found(long kcl, ReadAnswer answer) {}

  /** Null: the index is not there in this snapshot. */
  private @Nullable Found find(IndexRef wanted, long kcl, RangeQuestion question, PagesAhead ahead)
      throws TimeoutException {
    IndexRef index = shown(wanted);
    Place place = new Place(question.start(), question.reverse());
    long at = begin(index, kcl, place);
    for (int hop = 0; at != SubtreeHeader.NONE; hop++) {
      RangePart part = question.in(at);
      ReadAnswer answer = ahead.take(part, question);
      if (answer == null) {
        answer = ask(index, question.query(part));
      }
      if (answer instanceof ReadAnswer.Scanned || answer instanceof ReadAnswer.Counted) {
        return new Found(at, answer);
      }
      at = redirected(index, place, at, answer, hop);
    }
    return dropped().findBefore(index) ? find(wanted, kcl, question, ahead) : null;
  }

  /** Where a walk looks first. */
  private long begin(IndexRef index, long kcl, Place place) throws TimeoutException {
    if (isDropped(index)) {
      return inOwnCrown(index, place);
    }
    return kcl != SubtreeHeader.NONE ? born(kcl) : routed(index, place);
  }

  private static SubtreeHeader headerOf(byte @Nullable [] header) {
    return SubtreeHeader.decode(Invariant.present(header, "a subtree that answers has a header"));
  }

  /** The subtree to which the present crown leads. */
  private long routed(IndexRef index, Place place) throws TimeoutException {
    long kcl = place.route(router, index.number(), context.deadlineNanos());
    return kcl == SubtreeHeader.NONE ? onlyInOwnCrown(index, place) : born(kcl);
  }

  /** The index is searched for in the snapshot's own crown, now and later. */
  private long onlyInOwnCrown(IndexRef index, Place place) throws TimeoutException {
    dropped().add(index);
    return inOwnCrown(index, place);
  }

  /** {@link SubtreeHeader#NONE}: the snapshot has nothing of the index. */
  private long inOwnCrown(IndexRef index, Place place) throws TimeoutException {
    context.checkTime();
    return dropped().subtreeBelow(index, place.end());
  }

  private boolean isDropped(IndexRef index) {
    return dropped != null && dropped.contains(index);
  }

  private IndexRef shown(IndexRef index) {
    return dropped == null ? index : dropped.shown(index);
  }

  private DroppedIndexes dropped() {
    DroppedIndexes known = dropped;
    if (known == null) {
      known = new DroppedIndexes(transaction, context);
      dropped = known;
    }
    return known;
  }

  private UnbornSubtrees unborn() {
    UnbornSubtrees known = unborn;
    if (known == null) {
      known = new UnbornSubtrees();
      unborn = known;
    }
    return known;
  }

  private long born(long kcl) {
    return unborn == null ? kcl : unborn.born(kcl);
  }

  /** Where to ask next; {@link SubtreeHeader#NONE}: the index is not there in this snapshot. */
  private long redirected(IndexRef index, Place place, long kcl, ReadAnswer answer, int hop)
      throws TimeoutException {
    if (!(answer instanceof ReadAnswer.Redirected redirect)) {
      throw Failures.unanswered(answer, context.id());
    }
    boolean isAbsent = redirect.unborn() && redirect.header().length == 0;
    if (isAbsent && hop >= HOPS_TO_LOST) {
      throw Failures.lost(index, context.id());
    }
    Invariant.holds(hop < HOPS_MAX, "redirects end: index %s kcl %s", index.name(), kcl);
    index.counters().redirected();
    context.countRedirect();
    if (isDropped(index)) {
      // The snapshot's own crown and its headers agree on all that is not dropped in it.
      throw Failures.dropped(index, context.id());
    }
    if (!redirect.unborn()) {
      SubtreeHeader header = SubtreeHeader.decode(redirect.header());
      if (header.isDropped()) {
        throw Failures.dropped(index, context.id());
      }
      return place.towards(header);
    }
    long before;
    if (isAbsent) {
      CrownEntry entry = place.entry(router, index.number(), context.deadlineNanos());
      if (entry == null || (entry.kcl() != kcl && router.isDropped(index))) {
        return onlyInOwnCrown(index, place);
      }
      if (entry.kcl() != kcl) {
        return born(entry.kcl());
      }
      before = entry.cameFrom();
      // Its header may be gone because the index was dropped, of which this node has not heard yet.
      if (before == SubtreeHeader.NONE && router.wasDropped(index, context.deadlineNanos())) {
        return onlyInOwnCrown(index, place);
      }
    } else {
      before = SubtreeHeader.decode(redirect.header()).cameFrom();
    }
    unborn().add(kcl, before);
    return born(before);
  }
}
