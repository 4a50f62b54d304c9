package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.CloneLookup;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
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
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.table.TableDefinitions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
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
  private final TransactionFootprint<PlainView> footprint;

  /** Null where reads are not remembered. */
  private final @Nullable KeyTurn turn;

  /** The named snapshot that it reads, exactly; empty: none. */
  private final String named;

  private final String label;
  private final @Nullable GridId grid;
  private final OwnUse use;

  /** Begins a transaction that reads the state at a pinned clock. */
  private final Function<VectorClock, TreeTransaction> past;

  /** The clones in use, by the numbers that were asked for. */
  private Map<Integer, TransactionView> clones = Map.of();

  /** The transactions that read layers of clones, by their clocks; they end with this one. */
  private volatile Map<VectorClock, TreeTransaction> layers = Map.of();

  TreeTransaction(
      SharedParts shared,
      GmuTransaction gmu,
      Begin how,
      String named,
      OwnUse use,
      Function<VectorClock, TreeTransaction> past) {
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
    this.past = past;
  }

  @Override
  public TransactionView on(OpenIndex index) {
    IndexRef wanted = (IndexRef) index;
    return wanted.isClone() ? clone(wanted) : entries(wanted);
  }

  /** The entries of an index, without those of its layers. */
  private PlainView entries(IndexRef wanted) {
    for (PlainView view : footprint.indexes()) {
      if (view.index().number() == wanted.number()) {
        return view;
      }
    }
    PlainView view = new PlainView(context, snapshot, wanted, turn, footprint);
    footprint.add(view);
    return view;
  }

  private TransactionView clone(IndexRef wanted) {
    TransactionView known = clones.get(wanted.number());
    if (known != null) {
      return known;
    }
    try {
      CloneLookup lookup = new CloneLookup(shared.router(), gmu, context, !named.isEmpty());
      CloneLookup.Shown shown = lookup.find(wanted);
      PlainView own = entries(shown.index());
      // The snapshot may show an earlier index of the name.
      TransactionView view =
          shown.index().isClone()
              ? new CloneView(own, lookup, shown.layers(), layer -> layer(wanted, layer))
              : own;
      clones = with(clones, wanted.number(), view);
      return view;
    } catch (TimeoutException e) {
      throw context.timeout(e);
    } catch (RuntimeException e) {
      throw context.failure(e);
    }
  }

  private PlainView layer(IndexRef clone, CloneLayer layer) {
    VectorClock at = layer.pin().clock();
    TreeTransaction reader = layers.get(at);
    if (reader == null) {
      reader = reader(at);
      Explanation recorder = context.explanation();
      if (recorder != null) {
        reader.explainIn(recorder);
      }
      layers = with(layers, at, reader);
      if (context.isCutOff()) {
        reader.end(); // who has cut this one off may not have seen it
        throw context.failure(new IllegalStateException("cut off"));
      }
    }
    return reader.entries(clone.of(layer));
  }

  private TreeTransaction reader(VectorClock at) {
    try {
      return past.apply(at);
    } catch (RuntimeException e) {
      throw context.failure(e);
    }
  }

  private static <K, V> Map<K, V> with(Map<K, V> few, K key, V value) {
    Map<K, V> more = new HashMap<>(few);
    more.put(key, value);
    return Map.copyOf(more);
  }

  /**
   * Copies what a clone shows of its layers into it, from a key on; another index has none.
   *
   * @param keysMax most keys that are looked at
   * @param bytesMax of the values; the last one may go above
   */
  public CopiedEntries copyDown(IndexRef clone, byte[] from, int keysMax, long bytesMax) {
    return on(clone) instanceof CloneView view
        ? view.copyDown(from, keysMax, bytesMax)
        : CopiedEntries.NONE;
  }

  /**
   * The read is not validated: the subtrees of the rows know which secondary indexes their writers
   * have to know, and refuse one who does not.
   */
  @Override
  public byte @Nullable [] definitions(OpenIndex definitions, OpenIndex rows) {
    byte[] value = entries((IndexRef) definitions).glance(TableDefinitions.key());
    entries((IndexRef) rows).writesRowsUnder(TableDefinitions.newest(value));
    return value;
  }

  @Override
  public String id() {
    return context.id();
  }

  @Override
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
    List<PlainView> views = footprint.indexes();
    return views.size() == 1
        ? List.of(views.get(0).index().name())
        : views.stream().map(view -> view.index().name()).sorted().toList();
  }

  @Override
  public int remoteRequests() {
    int requests = context.remoteRequests();
    for (TreeTransaction layer : layers.values()) {
      requests += layer.remoteRequests();
    }
    return requests;
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
      end();
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

  /**
   * All that a commit in two steps has to validate, and what it is to write.
   *
   * @param footprint each where it was read or is routed to
   * @param indexes those in use, by their numbers
   */
  public record Staged(Footprint footprint, SortedMap<Integer, IndexRef> indexes) {
    /** Whether it writes anything. */
    public boolean writes() {
      return !footprint.writes().isEmpty();
    }
  }

  /**
   * Says what the commit would validate and write. The caller commits that in two steps, and then
   * {@link #end}s the transaction.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} for what can only be committed at
   *     once
   */
  public Staged stage() {
    try {
      context.checkTime();
      Footprint all = footprintWith(null);
      boolean writesRows = all.reads().stream().anyMatch(read -> EntryKeys.isSchema(read.key()));
      if (footprint.hasLoad() || !clones.isEmpty() || writesRows) {
        throw Failures.failure(
            ErrorCode.INVALID_ARGUMENT,
            "a transaction that loads, writes rows of a table, or uses a clone cannot be prepared",
            context.id(),
            null);
      }
      SortedMap<Integer, IndexRef> indexes = new TreeMap<>();
      footprint.indexes().forEach(view -> indexes.put(view.index().number(), view.index()));
      return new Staged(all, indexes);
    } catch (TimeoutException e) {
      throw context.timeout(e);
    } catch (RuntimeException e) {
      throw context.failure(e);
    }
  }

  /** Validates all reads of a transaction that has written nothing, and ends it. */
  public VectorClock validate() {
    Invariant.holds(!footprint.hasWrites(), "a transaction that writes is committed");
    try {
      context.checkTime();
      return Invariant.present(commitWith(null), "without a record nothing is settled before");
    } catch (TimeoutException e) {
      throw context.timeout(e);
    } catch (RuntimeException e) {
      throw context.failure(e);
    } finally {
      end();
    }
  }

  /** When its time is over. */
  public long deadlineNanos() {
    return context.deadlineNanos();
  }

  /** The error of a commit of this transaction that was refused for good. */
  public CanopyException refusal(Outcome.Aborted aborted) {
    return new AbortReport(context, footprint, turn, null).failure(aborted);
  }

  /** The error where a prepared transaction holds a key that this one has used. */
  public CanopyException held(IndexRef index, byte[] key, KeyLock lock) {
    return shared.held(index, key, lock, context.id());
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
    for (PlainView view : footprint.indexes()) {
      view.index().counters().committed();
    }
  }

  @Override
  public void end() {
    layers.values().forEach(TreeTransaction::end);
    gmu.end();
  }

  @Override
  public void cutOff(ErrorCode code, String why) {
    context.cutOff(Failures.failure(code, why, null, null));
    layers.values().forEach(layer -> layer.cutOff(code, why));
    gmu.end();
  }
}
