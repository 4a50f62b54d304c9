package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/**
 * One count of a kcl's entries in a snapshot, up to its fence. A subtree is split when it grows, so
 * that this is some thousand steps and needs no bound of its own.
 */
final class RangeCount {
  private RangeCount() {}

  static ReadAnswer run(
      ReadQuery.Count query,
      byte @Nullable [] header,
      Fences fences,
      OrderedView<VersionChain> chains,
      Shown shown) {
    if (header != null && !fences.covers(header, query.from())) {
      return new ReadAnswer.Redirected(header, false);
    }
    KclRange range = KclRange.of(query.kcl(), query.from(), query.to(), header, fences);
    OrderedCursor<VersionChain> cursor = chains.ascending(range.from());
    long live = 0;
    while (cursor.next() && range.isBelowUpper(cursor.key())) {
      VersionChain visible = shown.newestOf(cursor.value());
      live += visible == null || visible.isMovedAway() || visible.isTombstone() ? 0 : 1;
    }
    return new ReadAnswer.Counted(header, live);
  }
}
