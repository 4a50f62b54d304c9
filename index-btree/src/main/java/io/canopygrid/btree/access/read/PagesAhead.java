package io.canopygrid.btree.access.read;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The pages that a walk comes to next, asked of other nodes before they are needed. A page is asked
 * for together with the page that is needed now, so that the walk waits for one round trip instead
 * of several. Or it is asked for while the caller reads the page before, so that the walk does not
 * wait at all. The crown says which subtrees come next. Where the crown is wrong, an answer is not
 * used, or redirects like any other. Confined to the transaction's thread.
 */
public final class PagesAhead {
  /** Most pages asked for at the same time. */
  public static final int PAGES_MAX = 8;

  private final Router router;
  private final QuerySender sender;
  private final UnbornSubtrees unborn;
  private final IndexRef index;
  private final byte @Nullable [] to;
  private final boolean reverse;
  private final Map<Long, Page> pages = new HashMap<>();

  /** The parts that were asked for while the caller read, and were not needed yet. */
  private List<RangePart> askedFor = List.of();

  private GmuTransaction.@Nullable Ahead underWay;
  private int atOnce;

  /** A page that was not needed yet. */
  private record Page(RangePart part, ReadAnswer answer) {}

  /**
   * @param to where the walk ends, exclusive; null: with the index. Means nothing in reverse
   * @param atOnce how many pages are asked for at the same time, until told otherwise
   */
  PagesAhead(
      Router router,
      QuerySender sender,
      UnbornSubtrees unborn,
      IndexRef index,
      byte @Nullable [] to,
      boolean reverse,
      int atOnce) {
    this.router = router;
    this.sender = sender;
    this.unborn = unborn;
    this.index = index;
    this.to = to;
    this.reverse = reverse;
    this.atOnce = atOnce;
  }

  /** So many pages at the same time from now on, within the limits. */
  public void askAtOnce(int pages) {
    atOnce = Math.min(PAGES_MAX, Math.max(atOnce, pages));
  }

  /**
   * Asks for the part of a subtree that is needed soon, and for those behind it, and does not wait.
   */
  public void prefetch(long kcl, RangeQuestion question) throws TimeoutException {
    RangePart part = question.in(unborn.born(kcl));
    if (underWay != null || pages.containsKey(part.kcl()) || !router.isRemote(part.kcl())) {
      return;
    }
    List<RangePart> parts = withNext(part);
    underWay = sender.askAhead(index, parts.stream().map(question::query).toList());
    askedFor = underWay == null ? List.of() : parts;
  }

  /** The answer for a part, if it is here already or comes with others; null: ask for it alone. */
  @Nullable ReadAnswer take(RangePart part, RangeQuestion question) throws TimeoutException {
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
    List<RangePart> parts = withNext(part);
    if (parts.size() == 1) {
      return null;
    }
    List<ReadAnswer> answers = sender.askAll(index, parts.stream().map(question::query).toList());
    for (int i = 1; i < parts.size(); i++) {
      pages.put(parts.get(i).kcl(), new Page(parts.get(i), answers.get(i)));
    }
    return answers.get(0);
  }

  private void takeAskedFor() throws TimeoutException {
    GmuTransaction.Ahead ahead = underWay;
    List<RangePart> parts = askedFor;
    underWay = null;
    askedFor = List.of();
    if (ahead != null) {
      List<@Nullable ReadAnswer> answers = sender.take(index, ahead, parts);
      for (int i = 0; i < parts.size(); i++) {
        ReadAnswer answer = answers.get(i);
        if (answer != null) {
          sender.tellUse(parts.get(i).kcl(), answer);
          pages.put(parts.get(i).kcl(), new Page(parts.get(i), answer));
        }
      }
    }
  }

  /** A part and those that come after it, as many as are asked for at the same time. */
  private List<RangePart> withNext(RangePart part) {
    List<RangePart> parts = new ArrayList<>();
    parts.add(part);
    byte[] start = part.start();
    if (reverse || atOnce < 2 || start == null) {
      return parts;
    }
    for (CrownEntry next :
        router.subtreesAbove(index.number(), EntryKeys.userKey(start), to, PAGES_MAX)) {
      if (parts.size() < atOnce && isWorthAsking(next.kcl())) {
        parts.add(new RangePart(next.kcl(), EntryKeys.ku(next.separator())));
      }
    }
    return parts;
  }

  private boolean isWorthAsking(long kcl) {
    return !pages.containsKey(kcl) && router.isRemote(kcl) && !unborn.contains(kcl);
  }

  /** Pages that are under way are not needed any more. */
  public void close() {
    if (underWay != null) {
      underWay.close();
      underWay = null;
      askedFor = List.of();
    }
  }
}
