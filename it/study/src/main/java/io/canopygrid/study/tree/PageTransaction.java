package io.canopygrid.study.tree;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an operation: reads pages in a snapshot, or as the layout says, and writes them at
 * commit. Confined to one thread.
 */
final class PageTransaction implements AutoCloseable {
  private final GmuNode node;
  private final TreeLayout layout;
  private final long deadlineNanos;
  private final GmuTransaction snapshot;

  /** The reads that the commit validates. */
  private final Map<CompositeKey, Seen> reads = new LinkedHashMap<>();

  /** The snapshot's pages so far. */
  private final Map<CompositeKey, Page> pages = new LinkedHashMap<>();

  private final Map<CompositeKey, Page> writes = new LinkedHashMap<>();

  PageTransaction(GmuNode node, TreeLayout layout, VectorClock token, long deadlineNanos) {
    this.node = node;
    this.layout = layout;
    this.deadlineNanos = deadlineNanos;
    this.snapshot = node.begin(token, deadlineNanos);
  }

  VectorClock clock() {
    return snapshot.clock();
  }

  Map<CompositeKey, Seen> reads() {
    return reads;
  }

  /** The commit validates these too. */
  void alsoValidate(Map<CompositeKey, Seen> others) {
    others.forEach(reads::putIfAbsent);
  }

  /** A page in the snapshot; null: the page does not exist there yet. The commit validates it. */
  @Nullable Page read(PageRef ref) throws TimeoutException {
    CompositeKey key = layout.key(ref);
    Page known = writes.containsKey(key) ? writes.get(key) : pages.get(key);
    if (known != null) {
      return known;
    }
    ReadAnswer.Got got = got(snapshot.read(new ReadQuery.Get(key)));
    reads.put(key, got.seen());
    if (got.value() == null) {
      return null;
    }
    Page page = Page.of(got.value());
    pages.put(key, page);
    return page;
  }

  /**
   * An inner page on the way down, as the layout says: from this node's copy where there is one,
   * outside of the snapshot where inner pages are read dirty. Null: this node does not know it.
   */
  @Nullable Page onTheWay(PageRef ref) throws TimeoutException {
    if (layout.isReplicated(ref.level())) {
      return ownCopy(layout.key(ref));
    }
    return layout.variant().dirty() ? dirty(layout.key(ref)) : read(ref);
  }

  private @Nullable Page ownCopy(CompositeKey key) {
    VersionChain newest = node.top().get(key.bytes());
    byte[] value = newest == null ? null : newest.value();
    if (newest == null || value == null) {
      return null;
    }
    if (!layout.variant().dirty()) {
      reads.put(key, newest.seen());
    }
    return Page.of(value);
  }

  /** The newest committed page: a read of its own, which nothing remembers. */
  private @Nullable Page dirty(CompositeKey key) throws TimeoutException {
    GmuTransaction aside = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      byte[] value = got(aside.read(new ReadQuery.Get(key))).value();
      return value == null ? null : Page.of(value);
    } finally {
      aside.end();
    }
  }

  private static ReadAnswer.Got got(ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got got) {
      return got;
    }
    if (answer instanceof ReadAnswer.Unavailable lost) {
      throw new CanopyException(
          ErrorCode.SHARD_UNAVAILABLE, "shard " + lost.shard() + " has no owner here");
    }
    if (answer instanceof ReadAnswer.TooOld) {
      throw new CanopyException(ErrorCode.SNAPSHOT_TOO_OLD, "the snapshot is below the horizon");
    }
    throw Invariant.violation("no answer to a page's read: %s", answer);
  }

  void write(PageRef ref, Page page) {
    writes.put(layout.key(ref), page);
  }

  /** Commits what was written, if all that was read still is as it was. */
  Outcome commit() {
    List<Footprint.KeyRead> seen = new ArrayList<>();
    List<Footprint.Write> written = new ArrayList<>();
    // A transaction that writes nothing has seen one snapshot, which needs no validation.
    if (!writes.isEmpty()) {
      reads.forEach((key, what) -> seen.add(new Footprint.KeyRead(key, what)));
      writes.forEach((key, page) -> written.add(new Footprint.Write(key, page.toBytes(), null)));
    }
    Outcome outcome = snapshot.commit(new Footprint(seen, List.of(), written), "study");
    if (outcome instanceof Outcome.Unknown) {
      throw new CanopyException(
          ErrorCode.COMMIT_UNKNOWN, "no outcome in time", CommitState.UNKNOWN, null, null);
    }
    return outcome;
  }

  /** Ends it; does nothing after a commit that ended it. */
  @Override
  public void close() {
    snapshot.end();
  }
}
