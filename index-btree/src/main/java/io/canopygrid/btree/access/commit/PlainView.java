package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.PagesAhead;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.access.scan.IndexFootprint;
import io.canopygrid.btree.access.scan.RangeScan;
import io.canopygrid.btree.access.scan.WriteSet;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.gmu.ReadQuery;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one index in one transaction: the snapshot under the transaction's own writes.
 * Confined to the transaction's thread.
 */
final class PlainView extends IndexFootprint implements TransactionView {
  /** Null where reads are not remembered. */
  private final @Nullable KeyTurn turn;

  private final TransactionFootprint<?> footprint;

  PlainView(
      TransactionContext context,
      Snapshot snapshot,
      IndexRef index,
      @Nullable KeyTurn turn,
      TransactionFootprint<?> footprint) {
    super(context, snapshot, index);
    this.turn = turn;
    this.footprint = footprint;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] own = writes().get(key);
    if (own != null) {
      return WriteSet.valueOf(own);
    }
    Snapshot.PointRead read = reads().get(key);
    return read != null ? read.value() : read(key).value();
  }

  @Override
  public @Nullable AtHand getAtHand(byte[] key) {
    if (touches(key)) {
      return new AtHand(get(key));
    }
    try {
      Snapshot.PointRead read =
          turn == null
              ? snapshot().getAtHand(index(), key, ReadQuery.Turn.NONE)
              : turn.readAtHand(index(), key);
      if (read == null) {
        return null;
      }
      if (turn != null) {
        add(key, read);
      }
      return new AtHand(read.value());
    } catch (TimeoutException e) {
      throw context().timeout(e);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  /** A key's value, which the commit does not validate. */
  byte @Nullable [] glance(byte[] key) {
    if (touches(key)) {
      return get(key);
    }
    try {
      return snapshot().get(index(), key, ReadQuery.Turn.NONE).value();
    } catch (TimeoutException e) {
      throw context().timeout(e);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  private Snapshot.PointRead read(byte[] key) {
    try {
      if (turn == null) {
        return snapshot().get(index(), key, ReadQuery.Turn.NONE);
      }
      Snapshot.PointRead read = turn.read(index(), key);
      add(key, read);
      return read;
    } catch (TimeoutException e) {
      throw context().timeout(e);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  /**
   * The entries of a table's index were dropped. If the transaction has read the definitions of the
   * table, these have changed since, and it can run again with what they are now.
   */
  @Override
  protected RuntimeException failure(RuntimeException e) {
    return context().mode() != Mode.READ_ONLY
            && e instanceof CanopyException coded
            && coded.code() == ErrorCode.UNKNOWN_INDEX
            && footprint.usesTableOf(index())
        ? Failures.conflict(coded, context().id())
        : super.failure(e);
  }

  @Override
  public RangeScan scan(KeyRange range, boolean reverse, long limit) {
    return new RangeScan(this, range, reverse, limit);
  }

  /**
   * Entries are counted at their owners, where nothing has to be remembered. Otherwise their keys
   * come here, because the commit has to validate each.
   */
  @Override
  public long count(KeyRange range) {
    if (!context().remembers()) {
      return countOnly(range);
    }
    RangeScan scan = RangeScan.ofAllKeys(this, range);
    long count = 0;
    while (scan.advance()) {
      count++;
    }
    return count;
  }

  private long countOnly(KeyRange range) {
    if (range.isEmpty()) {
      return 0;
    }
    try {
      Snapshot snapshot = snapshot();
      PagesAhead ahead = snapshot.pagesAhead(index(), range.to(), false, PagesAhead.PAGES_MAX);
      return snapshot.count(index(), range, ahead);
    } catch (TimeoutException e) {
      throw context().timeout(e);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  @Override
  public int load(SortedPart part) {
    try {
      int made = footprint.load(this, part);
      return made > 0 ? made : TransactionView.super.load(part);
    } catch (TimeoutException e) {
      throw context().timeout(e);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  @Override
  public long removeRange(KeyRange range) {
    return removeRange(range, key -> {});
  }

  @Override
  public long removeRange(KeyRange range, Consumer<byte[]> each) {
    RangeScan scan = RangeScan.ofAllKeys(this, range);
    long removed = 0;
    while (scan.advance()) {
      each.accept(scan.key());
      remove(scan.key());
      removed++;
    }
    return removed;
  }
}
