package io.canopygrid.btree.access.commit;

import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.explain.Explanation;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.table.TableDefinitions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One transaction over any number of indexes. Confined to one thread at a time. All methods throw
 * {@link io.canopygrid.CanopyException}.
 */
public final class TreeTransaction implements EngineTransaction {
  private final SharedParts shared;
  private final GmuTransaction gmu;
  private final TransactionContext context;
  private final Snapshot snapshot;
  private final TransactionFootprint<TransactionView> footprint;

  /** Null where reads are not remembered. */
  private final @Nullable KeyTurn turn;

  /** The named snapshot that it reads, exactly; empty: none. */
  private final String named;

  private final String label;
  private final @Nullable GridId grid;
  private final OwnUse use;

  TreeTransaction(SharedParts shared, GmuTransaction gmu, Begin how, String named, OwnUse use) {
    this.shared = shared;
    this.gmu = gmu;
    this.context = new TransactionContext(shared.threads(), shared.ids(), how);
    this.snapshot = new Snapshot(shared.router(), gmu, context, use);
    this.footprint = new TransactionFootprint<>(shared);
    this.turn = context.remembers() ? new KeyTurn(snapshot, context) : null;
    this.named = named;
    this.label = how.label();
    this.grid = how.grid();
    this.use = use;
  }

  @Override
  public TransactionView on(OpenIndex index) {
    IndexRef wanted = (IndexRef) index;
    for (TransactionView view : footprint.indexes()) {
      if (view.index().number() == wanted.number()) {
        return view;
      }
    }
    TransactionView view = new TransactionView(context, snapshot, wanted, turn, footprint);
    footprint.add(view);
    return view;
  }

  /**
   * The read is not validated: the subtrees of the rows know which secondary indexes their writers
   * have to know, and refuse one who does not.
   */
  @Override
  public byte @Nullable [] definitions(OpenIndex definitions, OpenIndex rows) {
    byte[] value = on(definitions).glance(TableDefinitions.key());
    on(rows).writesRowsUnder(TableDefinitions.newest(value));
    return value;
  }

  @Override
  public String id() {
    return context.id();
  }

  /** From now on its steps are recorded. */
  public void explainIn(Explanation recorder) {
    context.explainIn(recorder);
  }

  @Override
  public @Nullable GridId grid() {
    return grid;
  }

  @Override
  public VectorClock clock() {
    return gmu.clock();
  }

  @Override
  public String snapshot() {
    return named;
  }

  @Override
  public List<String> indexNames() {
    List<TransactionView> views = footprint.indexes();
    return views.size() == 1
        ? List.of(views.get(0).index().name())
        : views.stream().map(view -> view.index().name()).sorted().toList();
  }

  @Override
  public int remoteRequests() {
    return context.remoteRequests();
  }

  @Override
  public int redirects() {
    return context.redirects();
  }

  @Override
  public boolean hasLostKey() {
    return turn != null && turn.hasLostKey();
  }

  @Override
  public void queueAfter(EngineTransaction failed) {
    if (turn != null && failed instanceof TreeTransaction before && before.turn != null) {
      turn.queueAfter(before.turn);
    }
  }

  @Override
  public void queueAt(OpenIndex index, byte[] key) {
    if (turn != null) {
      turn.queueAt((IndexRef) index, key);
    }
  }

  /** Commits, following keys that have moved. */
  @Override
  public VectorClock commit() {
    return Invariant.present(commit(null), "a commit without a record is not refused by one");
  }

  /**
   * Commits, following keys that have moved, and leaves a record of the commit if it writes
   * anything.
   *
   * @param record the record; null: none
   * @return null where the outcome of this commit was settled before, by a record or because its
   *     name is too old: nothing was done now
   */
  public @Nullable VectorClock commit(@Nullable Write record) {
    try {
      boolean writes = footprint.hasWrites();
      if (context.mode() != Mode.SERIALIZABLE && !writes) {
        return gmu.clock();
      }
      context.checkTime();
      return commitWith(writes ? record : null);
    } catch (TimeoutException e) {
      throw context.timeout(e);
    } catch (RuntimeException e) {
      throw context.failure(e);
    } finally {
      gmu.end();
    }
  }

  private @Nullable VectorClock commitWith(@Nullable Write record) throws TimeoutException {
    Footprint all = footprintWith(record);
    CompositeKey recordKey = record == null ? null : record.key();
    AbortReport aborts = new AbortReport(context, footprint, turn, recordKey);
    VectorClock at =
        new CommitLoop(shared, context, gmu, aborts, label, footprint.hasLoad()).commit(all);
    if (at != null && use.isHeard()) {
      tellUse(all);
    }
    return at;
  }

  private Footprint footprintWith(@Nullable Write record) throws TimeoutException {
    List<KeyRead> reads = new ArrayList<>(2);
    List<RangeRead> ranges = new ArrayList<>();
    List<Write> writes = new ArrayList<>(2);
    footprint.addTo(context.deadlineNanos(), reads, ranges, writes);
    if (record != null) {
      reads.add(new KeyRead(record.key(), Seen.ABSENT));
      writes.add(record);
    }
    return new Footprint(reads, ranges, writes);
  }

  private void tellUse(Footprint committed) {
    for (Write write : committed.writes()) {
      if (write.origin() == null && !write.key().isHeader()) {
        use.wrote(write.key().kcl());
      }
    }
  }

  @Override
  public void countCommit() {
    for (TransactionView view : footprint.indexes()) {
      view.index().counters().committed();
    }
  }

  @Override
  public void end() {
    gmu.end();
  }

  @Override
  public void cutOff(ErrorCode code, String why) {
    context.cutOff(Failures.failure(code, why, null, null));
    gmu.end();
  }
}
