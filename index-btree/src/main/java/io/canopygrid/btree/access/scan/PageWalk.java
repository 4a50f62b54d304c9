package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.access.read.PagesAhead;
import io.canopygrid.btree.access.read.RangeQuestion;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadAnswer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot's entries of a range in one direction, page by page and subtree by subtree, and the
 * marks of what was handed out of them. Confined to the transaction's thread.
 */
final class PageWalk {
  private final IndexFootprint source;
  private final KeyRange range;
  private final boolean reverse;
  private final boolean values;

  private List<ReadAnswer.Entry> entries = List.of();

  /** The next entry to look at. */
  private int next;

  /** The first entry that is not in {@link #mark} yet. */
  private int unmarked;

  /**
   * The bound up to which the pages so far are complete: in a forward walk an end, exclusive; in a
   * reverse one a start, inclusive. Null: before the first page, or to the end of a range that has
   * none.
   */
  private byte @Nullable [] known;

  private boolean begun;

  /** Whether the pages so far tell all of the range. */
  private boolean last;

  private long nextSubtree = SubtreeHeader.NONE;
  private @Nullable RangeMark mark;
  private final PagesAhead ahead;
  private int subtrees;

  /** The number of entries that are wanted beyond this page and not asked for yet; 0: none. */
  private int wantedNext;

  /**
   * @param whole whether it is sure to go to the end
   */
  PageWalk(IndexFootprint source, KeyRange range, boolean reverse, boolean values, boolean whole) {
    this.source = source;
    this.ahead =
        source
            .snapshot()
            .pagesAhead(source.index(), range.to(), reverse, whole ? PagesAhead.PAGES_MAX : 1);
    this.range = range;
    this.reverse = reverse;
    this.values = values;
  }

  /** The next live entry of this page, null where it has no more. */
  ReadAnswer.@Nullable Entry peek() {
    while (next < entries.size()) {
      ReadAnswer.Entry entry = entries.get(next);
      if (!entry.seen().tombstone()) {
        return entry;
      }
      next++;
    }
    return null;
  }

  /**
   * Steps over the entry that {@link #peek} gave. A caller that has taken half of a page will want
   * the next one too: it is on its way while the rest is read.
   */
  void take() throws TimeoutException {
    next++;
    if (wantedNext > 0 && !last && 2 * next >= entries.size()) {
      RangeQuestion question = question(wantedNext);
      wantedNext = 0;
      ahead.prefetch(nextSubtree, question);
    }
  }

  /** Whether there is no other page. */
  boolean isLast() {
    return last;
  }

  /** Whether the pages so far tell if the snapshot has a key of the range. */
  boolean tellsOf(byte[] key) {
    if (last || !begun || known == null) {
      return last;
    }
    int order = Arrays.compareUnsigned(key, known);
    return reverse ? order >= 0 : order < 0;
  }

  /** Remembers all up to a key that was handed out, inclusive. */
  void markUpTo(byte[] key) {
    if (mark == null) {
      return;
    }
    while (unmarked < entries.size() && !isBeyond(entries.get(unmarked), key)) {
      mark.found(entries.get(unmarked++));
    }
    if (reverse) {
      mark.reachedStart(key);
    } else {
      mark.reached(key);
    }
  }

  /** Remembers all that this page tells. */
  void markAll() {
    if (mark == null) {
      return;
    }
    while (unmarked < entries.size()) {
      mark.found(entries.get(unmarked++));
    }
    if (reverse) {
      mark.reachedStart(Invariant.present(known, "a reverse walk knows where its page begins"));
    } else {
      mark.reachedEnd(known);
    }
  }

  private boolean isBeyond(ReadAnswer.Entry entry, byte[] key) {
    int order = EntryKeys.compare(entry.ku(), key);
    return reverse ? order < 0 : order > 0;
  }

  /**
   * Goes on to the next page; there must be one.
   *
   * @param limit most live entries
   * @param then most of the page after it, which is asked for ahead; 0: no more than this page is
   *     wanted. The more subtrees it has been to, the more it asks at the same time
   */
  void load(int limit, int then) throws TimeoutException {
    markAll();
    if (then > 0) {
      ahead.askAtOnce(subtrees);
    }
    wantedNext = then;
    RangeQuestion question = question(limit);
    byte[] from = question.from();
    byte[] to = question.to();
    Snapshot.Page page = source.snapshot().scan(source.index(), nextSubtree, question, ahead);
    begun = true;
    entries = page.entries();
    next = 0;
    unmarked = 0;
    learn(page);
    if (source.context().remembers() && (mark == null || !mark.isOf(page.kcl()))) {
      mark = new RangeMark(page.kcl(), from, to);
      source.add(mark);
    }
  }

  /** The question for the part that no page has told of yet. */
  private RangeQuestion question(int limit) {
    byte[] from =
        reverse || !begun
            ? range.from()
            : Invariant.present(known, "a page that is not the last one has an end");
    return new RangeQuestion(from, reverse && begun ? known : range.to(), reverse, limit, values);
  }

  /** No more is wanted. */
  void close() {
    wantedNext = 0;
    ahead.close();
  }

  private void learn(Snapshot.Page page) {
    SubtreeHeader header = page.header();
    if (header == null) {
      last = true;
      known = reverse ? range.from() : range.to();
    } else if (!page.complete()) {
      Invariant.holds(!entries.isEmpty(), "a page that is not complete has entries");
      byte[] key = EntryKeys.userKey(entries.get(entries.size() - 1).ku());
      known = reverse ? key : KeyRange.successor(key);
      nextSubtree = page.kcl();
    } else if (reverse) {
      last = Arrays.compareUnsigned(header.low(), range.from()) <= 0;
      known = last ? range.from() : header.low();
      nextSubtree = header.left();
    } else {
      byte[] to = range.to();
      last = header.high() == null || (to != null && !header.isAboveHigh(to));
      known = last ? to : header.high();
      nextSubtree = header.right();
      subtrees++;
    }
  }
}
