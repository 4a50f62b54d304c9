package io.canopygrid.btree.access;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.load.LoadRecorder;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's snapshot of the whole tree: asks the subtree that the crown leads to and goes on
 * where a redirect points (docs/internals/index.md, Finding and reaching a key). Confined to the
 * transaction's thread.
 */
final class Snapshot {
  /**
   * Most redirects of one read. Each goes to where the key was or is, or nearer to it among the
   * subtrees of the snapshot; more than this is a loop.
   */
  private static final int HOPS_MAX = 1 << 16;

  private final Router router;
  private final GmuTransaction transaction;
  private final TreeTransaction owner;
  private final long deadlineNanos;
  private final OwnUse use;

  /**
   * Subtrees that are not born in this snapshot, and the one which had their keys then. A shard
   * that was read once shows no newer commits, so this stays true for the whole transaction.
   */
  private @Nullable Map<Long, Long> bornBefore;

  Snapshot(
      Router router,
      GmuTransaction transaction,
      TreeTransaction owner,
      long deadlineNanos,
      OwnUse use) {
    this.use = use;
    this.router = router;
    this.transaction = transaction;
    this.owner = owner;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * A key as it was read.
   *
   * @param key where it is
   * @param value null where there is none
   */
  record PointRead(CompositeKey key, byte @Nullable [] value, Seen seen) {}

  /**
   * Entries of one subtree, tombstones included.
   *
   * @param header null where the index does not exist in this snapshot
   * @param complete all there is in the subtree's part of the range
   */
  record Page(
      long kcl, @Nullable SubtreeHeader header, List<ReadAnswer.Entry> entries, boolean complete) {}

  /**
   * What a read looks for.
   *
   * @param below the keys right below the key, null: below the end of the index; else the key
   */
  private record Place(byte @Nullable [] key, boolean below) {
    long towards(SubtreeHeader header) {
      return below ? header.towardsBelow(key) : header.towards(known());
    }

    CrownEntry entry(Router router, int index, long deadlineNanos) throws TimeoutException {
      return below
          ? router.entryBelow(index, key, deadlineNanos)
          : router.entryOf(index, known(), deadlineNanos);
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
  PointRead get(IndexRef index, byte[] key, ReadQuery.Turn turn) throws TimeoutException {
    long kcl = born(router.subtreeOf(index.number(), key, deadlineNanos));
    for (int hop = 0; kcl != SubtreeHeader.NONE; hop++) {
      CompositeKey place = EntryKeys.of(kcl, key);
      ReadAnswer answer = ask(index, new ReadQuery.Get(place, turn));
      if (answer instanceof ReadAnswer.Got got) {
        return new PointRead(place, got.value(), got.seen());
      }
      kcl = redirected(index, new Place(key, false), kcl, answer, hop);
    }
    return new PointRead(EntryKeys.of(index.firstSubtree(), key), null, Seen.ABSENT);
  }

  /**
   * Entries of a range, in one subtree: the one that has its beginning, or, in reverse, its end.
   *
   * @param kcl where to look first, {@link SubtreeHeader#NONE}: where the crown says
   * @param ahead where the answer may be already
   */
  Page scan(IndexRef index, long kcl, RangeQuestion question, PagesAhead ahead)
      throws TimeoutException {
    Found found = find(index, kcl, question, ahead);
    return found != null && found.answer instanceof ReadAnswer.Scanned scanned
        ? new Page(found.kcl, headerOf(scanned.header()), scanned.entries(), scanned.complete())
        : new Page(index.firstSubtree(), null, List.of(), true);
  }

  /** How many entries a range has, each part counted where it is. */
  long count(IndexRef index, KeyRange range, PagesAhead ahead) throws TimeoutException {
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

  /** What a subtree answered that has the beginning of a range. */
  private record Found(long kcl, ReadAnswer answer) {}

  /** Null: the index is not there in this snapshot. */
  private @Nullable Found find(IndexRef index, long kcl, RangeQuestion question, PagesAhead ahead)
      throws TimeoutException {
    long at = born(kcl != SubtreeHeader.NONE ? kcl : route(index, question));
    for (int hop = 0; at != SubtreeHeader.NONE; hop++) {
      PagesAhead.Part part = question.in(at);
      ReadAnswer answer = ahead.take(part, question);
      if (answer == null) {
        answer = ask(index, question.query(part));
      }
      if (answer instanceof ReadAnswer.Scanned || answer instanceof ReadAnswer.Counted) {
        return new Found(at, answer);
      }
      Place place = new Place(question.start(), question.reverse());
      at = redirected(index, place, at, answer, hop);
    }
    return null;
  }

  private static SubtreeHeader headerOf(byte @Nullable [] header) {
    return SubtreeHeader.decode(Invariant.present(header, "a subtree that answers has a header"));
  }

  private long route(IndexRef index, RangeQuestion question) throws TimeoutException {
    return question.reverse()
        ? router.subtreeBelow(index.number(), question.to(), deadlineNanos)
        : router.subtreeOf(index.number(), question.from(), deadlineNanos);
  }

  /** The answer to one query, counted where another node has to be asked. */
  ReadAnswer ask(IndexRef index, ReadQuery query) throws TimeoutException {
    owner.checkTime();
    long asked = transaction.asked();
    ReadAnswer answer = transaction.read(query);
    if (transaction.asked() > asked) {
      tellUse(query.kcl(), answer);
      if (router.isRemote(query.kcl())) {
        index.counters().requested();
        owner.countRemoteRequests(1);
      }
    } else if (use.isHeard() && !router.isRemote(query.kcl())) {
      tellUse(query.kcl(), answer);
    }
    return answer;
  }

  /** A subtree's primary has answered; a backup's answer is not told. */
  void tellUse(long kcl, ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got) {
      use.read(kcl, 1);
    } else if (answer instanceof ReadAnswer.Scanned page) {
      use.read(kcl, LoadRecorder.ofPage(page.entries().size()));
    } else if (answer instanceof ReadAnswer.Counted counted) {
      use.read(kcl, LoadRecorder.ofCount(counted.entries()));
    }
  }

  /** The answers to queries of subtrees elsewhere; other nodes are asked at the same time. */
  List<ReadAnswer> askAll(IndexRef index, List<? extends ReadQuery> queries)
      throws TimeoutException {
    owner.checkTime();
    List<Integer> asked = new ArrayList<>();
    List<ReadAnswer> answers = transaction.readAll(List.copyOf(queries), asked::add);
    for (int query : asked) {
      index.counters().requested();
      owner.countRemoteRequests(1);
      tellUse(queries.get(query).kcl(), answers.get(query));
    }
    return answers;
  }

  /** Asks other nodes, and does not wait; null: this node can answer itself. */
  GmuTransaction.@Nullable Ahead askAhead(IndexRef index, List<ReadQuery> queries)
      throws TimeoutException {
    owner.checkTime();
    GmuTransaction.Ahead ahead = transaction.askAhead(queries);
    if (ahead != null) {
      queries.forEach(query -> index.counters().requested());
      owner.countRemoteRequests(queries.size());
    }
    return ahead;
  }

  /** Whether a subtree is not known to be unborn in this snapshot. */
  boolean mayKnow(long kcl) {
    return bornBefore == null || !bornBefore.containsKey(kcl);
  }

  /** Where to ask next; {@link SubtreeHeader#NONE}: the index is not there in this snapshot. */
  private long redirected(IndexRef index, Place place, long kcl, ReadAnswer answer, int hop)
      throws TimeoutException {
    if (!(answer instanceof ReadAnswer.Redirected redirect)) {
      throw Failures.unanswered(answer, owner.id());
    }
    Invariant.holds(hop < HOPS_MAX, "redirects end: index %s kcl %s", index.name(), kcl);
    index.counters().redirected();
    owner.countRedirect();
    if (!redirect.unborn()) {
      return place.towards(SubtreeHeader.decode(redirect.header()));
    }
    long before;
    if (redirect.header().length == 0) {
      CrownEntry entry = place.entry(router, index.number(), deadlineNanos);
      if (entry.kcl() != kcl) {
        return born(entry.kcl());
      }
      before = entry.cameFrom();
    } else {
      before = SubtreeHeader.decode(redirect.header()).cameFrom();
    }
    if (bornBefore == null) {
      bornBefore = new HashMap<>();
    }
    bornBefore.put(kcl, before);
    return born(before);
  }

  /** The subtree, or, if it is known to be unborn in this snapshot, the one before. */
  long born(long kcl) {
    long at = kcl;
    if (bornBefore != null) {
      Long before = bornBefore.get(at);
      for (int steps = 0; before != null; steps++) {
        Invariant.holds(steps < bornBefore.size(), "no subtree comes from itself: %s", kcl);
        at = before;
        before = bornBefore.get(at);
      }
    }
    return at;
  }
}
