package io.canopygrid.btree.access;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a walk comes to next, asked of other nodes before it is needed: together with the page that
 * is needed now, so that it waits for one round trip instead of several; or while the caller reads
 * the page before, so that it waits for none. Which subtrees come next the crown says; where it is
 * wrong an answer is not used, or says where to go as any other. Confined to the transaction's
 * thread.
 */
final class PagesAhead {
  /** Most pages asked for at the same time. */
  static final int PAGES_MAX = 8;

  private final Snapshot snapshot;
  private final Router router;
  private final IndexRef index;
  private final byte @Nullable [] to;
  private final boolean reverse;
  private final Map<Long, Page> pages = new HashMap<>();

  /** What was asked for while the caller read, and nobody has needed yet. */
  private List<Part> askedFor = List.of();

  private GmuTransaction.@Nullable Ahead underWay;
  private int atOnce;

  /** A page that nobody has needed yet. */
  private record Page(Part part, ReadAnswer answer) {}

  /**
   * A part of a walk.
   *
   * @param start its lowest ku; in reverse the end that it goes down from, null: that of the index
   */
  record Part(long kcl, byte @Nullable [] start) {
    boolean isSame(Part other) {
      return kcl == other.kcl && Arrays.equals(start, other.start);
    }
  }

  /** Makes the query for a part. */
  interface Asking {
    ReadQuery query(Part part);
  }

  /**
   * @param to where the walk ends, exclusive; null: with the index. Means nothing in reverse
   * @param atOnce how many pages are asked for at the same time, until told otherwise
   */
  PagesAhead(
      Snapshot snapshot,
      Router router,
      IndexRef index,
      byte @Nullable [] to,
      boolean reverse,
      int atOnce) {
    this.snapshot = snapshot;
    this.router = router;
    this.index = index;
    this.to = to;
    this.reverse = reverse;
    this.atOnce = atOnce;
  }

  /** So many pages at the same time from now on, within the limits. */
  void askAtOnce(int pages) {
    atOnce = Math.min(PAGES_MAX, Math.max(atOnce, pages));
  }

  /** Asks for a part that is needed soon, and for those behind it, and does not wait. */
  void prefetch(Part part, Asking asking) throws TimeoutException {
    if (underWay != null || pages.containsKey(part.kcl()) || !router.isRemote(part.kcl())) {
      return;
    }
    List<Part> parts = withNext(part);
    underWay = snapshot.askAhead(index, parts.stream().map(asking::query).toList());
    askedFor = underWay == null ? List.of() : parts;
  }

  /** The answer for a part, if it is here already or comes with others; null: ask for it alone. */
  @Nullable ReadAnswer take(Part part, Asking asking) throws TimeoutException {
    if (askedFor.stream().anyMatch(part::isSame)) {
      takeAskedFor();
    }
    Page known = pages.remove(part.kcl());
    if (known != null && known.part.isSame(part)) {
      return known.answer;
    }
    if (atOnce < 2 || !router.isRemote(part.kcl())) {
      return null;
    }
    List<Part> parts = withNext(part);
    if (parts.size() == 1) {
      return null;
    }
    List<ReadAnswer> answers = snapshot.askAll(index, parts.stream().map(asking::query).toList());
    for (int i = 1; i < parts.size(); i++) {
      pages.put(parts.get(i).kcl(), new Page(parts.get(i), answers.get(i)));
    }
    return answers.get(0);
  }

  private void takeAskedFor() throws TimeoutException {
    GmuTransaction.Ahead ahead = underWay;
    List<Part> parts = askedFor;
    underWay = null;
    askedFor = List.of();
    if (ahead != null) {
      List<@Nullable ReadAnswer> answers = ahead.take();
      for (int i = 0; i < parts.size(); i++) {
        ReadAnswer answer = answers.get(i);
        if (answer != null) {
          snapshot.tellUse(parts.get(i).kcl(), answer);
          pages.put(parts.get(i).kcl(), new Page(parts.get(i), answer));
        }
      }
    }
  }

  /** A part and those that come after it, as many as are asked for at the same time. */
  private List<Part> withNext(Part part) {
    List<Part> parts = new ArrayList<>();
    parts.add(part);
    byte[] start = part.start();
    if (reverse || atOnce < 2 || start == null) {
      return parts;
    }
    for (CrownEntry next :
        router.subtreesAbove(index.number(), EntryKeys.userKey(start), to, PAGES_MAX)) {
      if (parts.size() < atOnce && isWorthAsking(next.kcl())) {
        parts.add(new Part(next.kcl(), EntryKeys.ku(next.separator())));
      }
    }
    return parts;
  }

  private boolean isWorthAsking(long kcl) {
    return !pages.containsKey(kcl) && router.isRemote(kcl) && snapshot.mayKnow(kcl);
  }

  /** What is under way is not needed any more. */
  void close() {
    if (underWay != null) {
      underWay.close();
      underWay = null;
      askedFor = List.of();
    }
  }
}
