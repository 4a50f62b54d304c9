package io.canopygrid.btree.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The node as its feeds use it. Thread-safe. */
final class FeedNode {
  private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final GmuNode node;
  private final FeedReader reader;
  private final Catalog catalog;
  private final Function<VectorClock, CausalToken> tokens;

  FeedNode(
      GmuNode node, FeedReader reader, Catalog catalog, Function<VectorClock, CausalToken> tokens) {
    this.node = node;
    this.reader = reader;
    this.catalog = catalog;
    this.tokens = tokens;
  }

  /** A transaction in the present: it is nowhere above what some primary has applied. */
  GmuTransaction begin(VectorClock after) {
    try {
      return node.begin(after, deadlineNanos());
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /**
   * A transaction that reads the state at a clock, and holds the horizon there for a bounded time
   * (docs/protocol.md, Garbage).
   */
  GmuTransaction beginAt(VectorClock clock) {
    try {
      return node.beginAt(clock, false, deadlineNanos());
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /** {@link #begin} of one that keeps what a feed of an index has still to tell. */
  GmuTransaction hold(IndexRef index) {
    return named(begin(VectorClock.ZERO), index);
  }

  /** {@link #beginAt} of one that keeps what a feed of an index has still to tell. */
  GmuTransaction holdAt(IndexRef index, VectorClock clock) {
    return named(beginAt(clock), index);
  }

  /** People find it by its label when they look for what keeps old versions. */
  private static GmuTransaction named(GmuTransaction hold, IndexRef index) {
    hold.named(IndexFeeds.LABEL + index.name());
    return hold;
  }

  private long deadlineNanos() {
    return node.threads().nanoTime() + BEGIN_NANOS;
  }

  /**
   * Checks that an index has its name still; asks only where this node's copy of the catalog does
   * not say so, as it may have gaps.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  void requireCurrent(IndexRef index) {
    if (!index.isCurrent() && !isInCatalog(index)) {
      throw Failures.dropped(index, null);
    }
  }

  private boolean isInCatalog(IndexRef index) {
    try {
      return catalog.find(index.name()).number() == index.number();
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.UNKNOWN_INDEX) {
        return false;
      }
      throw e;
    }
  }

  FeedReader reader() {
    return reader;
  }

  CausalToken token(VectorClock clock) {
    return tokens.apply(clock);
  }
}
