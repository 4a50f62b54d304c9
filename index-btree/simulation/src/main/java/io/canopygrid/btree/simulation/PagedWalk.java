package io.canopygrid.btree.simulation;

import io.canopygrid.Cursor;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.ResumeToken;
import io.canopygrid.btree.simulation.PageCheck.Page;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A walk over a range of keys, page by page, each of which begins where the one before ended. */
final class PagedWalk {
  private final SimulatedGrid grid;
  private final SeededRandom random;
  private final long low;
  private final long high;
  private final boolean reverse;

  /** Null: at the beginning. */
  private @Nullable Position position;

  /**
   * The end of a page.
   *
   * @param token with which the next one begins
   * @param from the first key that it has not told of, in the walk's direction
   * @param isLast whether there is no other page
   */
  record Position(ResumeToken token, long from, boolean isLast) {}

  PagedWalk(SimulatedGrid grid, SeededRandom random) {
    this.grid = grid;
    this.random = random;
    this.low = random.below(PageCheck.KEYS / 2);
    this.high = low + random.below(PageCheck.KEYS);
    this.reverse = random.chance(0.5);
  }

  /** Null: at the beginning. */
  @Nullable Position position() {
    return position;
  }

  /** Goes back there: a transaction is run again. */
  void goBack(@Nullable Position to) {
    position = to;
  }

  boolean isOver() {
    return position != null && position.isLast();
  }

  /** The next page. */
  Page next(ReadView<Long, String> view) {
    Position before = position;
    long from = before == null ? (reverse ? high : low) : before.from();
    int most = random.oneOf(1, 2, 3, 5);
    Page page = new Page(reverse);
    ResumeToken token;
    try (Cursor<Long, String> cursor = cursor(view, before)) {
      for (Map.Entry<Long, String> entry : cursor) {
        page.add(entry);
        if (page.size() == most) {
          break;
        }
        if (random.chance(0.1)) {
          grid.sleep(random.oneOf(1, 5, 40));
        }
      }
      token = ResumeToken.parse(cursor.resumeToken().toString());
    }
    boolean isLast = page.size() < most;
    long to = isLast ? (reverse ? low : high) : page.lastKey();
    page.covers(from, to);
    position = new Position(token, reverse ? to - 1 : to + 1, isLast);
    return page;
  }

  private Cursor<Long, String> cursor(ReadView<Long, String> view, @Nullable Position before) {
    if (before != null) {
      return view.resume(before.token());
    }
    Cursor<Long, String> cursor = view.scan(Range.closed(low, high));
    return reverse ? cursor.reverse() : cursor;
  }
}
