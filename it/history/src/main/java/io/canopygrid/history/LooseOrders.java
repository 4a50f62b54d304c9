package io.canopygrid.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tries the orders that versions may have had where the history does not say. A history is right if
 * it is right with one of them.
 */
final class LooseOrders {
  /** Beyond this many orders none is tried: what is not known to be ordered then stays so. */
  static final int ORDERS_MAX = 5_000;

  private final List<Timeline> loose = new ArrayList<>();
  private final boolean tooMany;

  LooseOrders(List<Timeline> timelines) {
    long orders = 1;
    for (Timeline timeline : timelines) {
      if (timeline.looseSegments() > 1) {
        loose.add(timeline);
        for (int i = 2; i <= timeline.looseSegments() && orders <= ORDERS_MAX; i++) {
          orders *= i;
        }
      }
    }
    tooMany = orders > ORDERS_MAX;
  }

  /** Whether there are more than can be tried, so that a violation may go unnoticed. */
  boolean tooMany() {
    return tooMany;
  }

  /** The findings of the first order that has none, else those of the first order. */
  Findings best(Supplier<Findings> check) {
    if (tooMany || loose.isEmpty()) {
      return check.get();
    }
    List<Findings> results = new ArrayList<>();
    tryFrom(0, check, results);
    Findings last = results.get(results.size() - 1);
    return last.isEmpty() ? last : results.get(0);
  }

  /** Whether an order without findings has been met. */
  private boolean tryFrom(int timeline, Supplier<Findings> check, List<Findings> results) {
    if (timeline == loose.size()) {
      results.add(check.get());
      return results.get(results.size() - 1).isEmpty();
    }
    int[] order = new int[loose.get(timeline).looseSegments()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    return permute(order, 0, timeline, check, results);
  }

  private boolean permute(
      int[] order, int from, int timeline, Supplier<Findings> check, List<Findings> results) {
    if (from == order.length) {
      loose.get(timeline).arrange(order);
      return tryFrom(timeline + 1, check, results);
    }
    for (int i = from; i < order.length; i++) {
      swap(order, from, i);
      if (permute(order, from + 1, timeline, check, results)) {
        return true;
      }
      swap(order, from, i);
    }
    return false;
  }

  private static void swap(int[] order, int i, int j) {
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}
