package io.canopygrid.btree.access;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * First pages of the subtrees that a forward walk comes to next, asked of other nodes together with
 * the page that it needs now, so that it waits for one round trip instead of several. Which they
 * are the crown says; where it is wrong a page is not used, or says where to go as any other.
 * Confined to the transaction's thread.
 */
final class PagesAhead {
  /** Most pages asked for at the same time. */
  static final int PAGES_MAX = 8;

  private final Snapshot snapshot;
  private final Router router;
  private final IndexRef index;
  private final byte @Nullable [] to;
  private final Map<Long, Page> pages = new HashMap<>();
  private int atOnce;

  /** A page that nobody has needed yet. */
  private record Page(ReadQuery.Scan query, ReadAnswer answer) {}

  /**
   * @param to where the walk ends, exclusive; null: with the index
   * @param atOnce how many pages are asked for at the same time, until told otherwise
   */
  PagesAhead(Snapshot snapshot, Router router, IndexRef index, byte @Nullable [] to, int atOnce) {
    this.snapshot = snapshot;
    this.router = router;
    this.index = index;
    this.to = to;
    this.atOnce = atOnce;
  }

  /** So many pages at the same time from now on, within the limits. */
  void askAtOnce(int pages) {
    atOnce = Math.min(PAGES_MAX, Math.max(atOnce, pages));
  }

  /** The answer to a query, if it is here already or comes with others; null: ask for it alone. */
  @Nullable ReadAnswer take(ReadQuery.Scan query) throws TimeoutException {
    Page known = pages.remove(query.kcl());
    if (known != null && Arrays.equals(known.query.from(), query.from())) {
      return known.answer;
    }
    if (atOnce < 2 || !router.isRemote(query.kcl())) {
      return null;
    }
    List<ReadQuery.Scan> queries = new ArrayList<>();
    queries.add(query);
    byte[] from = EntryKeys.userKey(query.from());
    for (CrownEntry next : router.subtreesAbove(index.number(), from, to, PAGES_MAX)) {
      if (queries.size() < atOnce && isWorthAsking(next.kcl())) {
        byte[] begin = EntryKeys.ku(next.separator());
        queries.add(
            new ReadQuery.Scan(
                next.kcl(), begin, query.to(), false, query.limit(), query.values()));
      }
    }
    if (queries.size() == 1) {
      return null;
    }
    List<ReadAnswer> answers = snapshot.askAll(index, queries);
    for (int i = 1; i < queries.size(); i++) {
      pages.put(queries.get(i).kcl(), new Page(queries.get(i), answers.get(i)));
    }
    return answers.get(0);
  }

  private boolean isWorthAsking(long kcl) {
    return !pages.containsKey(kcl) && router.isRemote(kcl) && snapshot.mayKnow(kcl);
  }
}
