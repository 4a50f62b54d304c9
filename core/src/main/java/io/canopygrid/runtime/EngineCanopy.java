package io.canopygrid.runtime;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.GridInfo;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.Isolation;
import io.canopygrid.Loader;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.Range;
import io.canopygrid.ReadBody;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionBody;
import io.canopygrid.TransactionCall;
import io.canopygrid.TransactionFunction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.TablePart;
import io.canopygrid.function.FunctionRuns;
import io.canopygrid.function.PartLoader;
import io.canopygrid.map.IndexMaps;
import io.canopygrid.names.IndexNames;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.names.TableNames;
import io.canopygrid.table.TypedTable;
import io.canopygrid.transaction.Bodies;
import io.canopygrid.transaction.CallerTransactions;
import io.canopygrid.transaction.LabelCounters;
import io.canopygrid.transaction.Session;
import io.canopygrid.transaction.SnapshotTransaction;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.transaction.UpdateTransaction;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.IndexOpener;
import io.canopygrid.typed.IndexStore;
import io.canopygrid.typed.TypedIndex;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * {@link Canopy} over an {@link Engine}: checks arguments, runs bodies, and keeps session and
 * statistics, the same for all engines. Thread-safe.
 */
public abstract class EngineCanopy implements Canopy {
  private final Engine engine;
  private final Session session;
  private final Statistics statistics = new Statistics();
  private final Bodies bodies;
  private final FunctionRuns functions;
  private final CallerTransactions callers;
  private final AsyncCalls async;
  private final Publishers publishers;
  private final IndexStore tableStore = new TableIndexes();

  /** The identity by which this handle knows its own indexes. */
  private final Handle owner = new Handle();

  private final KnownIndexes indexes;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A handle of an engine, which becomes its own.
   *
   * @param session the engine's, where it has a use for one
   */
  protected EngineCanopy(Engine engine, Session session) {
    this.engine = engine;
    this.session = session;
    this.indexes = new KnownIndexes(engine);
    this.bodies = new Bodies(engine.pace());
    this.async = new AsyncCalls(engine.pace().executor());
    this.functions = new FunctionRuns(bodies, owner, new OwnIndexes());
    this.callers = new CallerTransactions(engine, session, statistics);
    this.publishers = new Publishers(owner, callers, async, this::checkOpen);
  }

  @Override
  public final <K, V> Index<K, V> index(
      String name, Codec<K> keys, Codec<V> values, IndexOptions options) {
    checkOpen();
    IndexNames.checked(name);
    CallChecks.notNull("the options", options);
    indexes.confirm(name);
    return TableNames.tableOf(name) == null
        ? open(name, keys, values, options)
        : openPart(name, keys, values);
  }

  /** An index that a table is made of comes and goes with its table only. */
  private <K, V> TypedIndex<K, V> openPart(String name, Codec<K> keys, Codec<V> values) {
    try {
      TypedIndex<K, V> found = find(name, keys, values);
      if (found.opened().isCurrent()) {
        return found;
      }
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
    }
    throw TablePart.refused(name);
  }

  private <K, V> TypedIndex<K, V> open(
      String name, Codec<K> keys, Codec<V> values, IndexOptions options) {
    checkOpen();
    EntryCodec<K, V> entries = new EntryCodec<>(name, keys, values);
    return typed(indexes.open(entries, options), entries);
  }

  /**
   * An index that exists, or existed and is in a snapshot that is in use. It is not created. The
   * one that exists is kept.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#CODEC_MISMATCH}
   */
  protected final <K, V> TypedIndex<K, V> find(String name, Codec<K> keys, Codec<V> values) {
    checkOpen();
    EntryCodec<K, V> entries = new EntryCodec<>(name, keys, values);
    return typed(indexes.find(entries), entries);
  }

  private <K, V> TypedIndex<K, V> typed(OpenIndex index, EntryCodec<K, V> entries) {
    Codec<K> keys = entries.keys();
    Codec<V> values = entries.values();
    if (!index.keyCodec().equals(keys.id()) || !index.valueCodec().equals(values.id())) {
      throw new CanopyException(
          ErrorCode.CODEC_MISMATCH,
          String.format(
              Locale.ROOT,
              "index '%s' has keys %s and values %s, not %s and %s",
              entries.index(),
              index.keyCodec(),
              index.valueCodec(),
              keys.id(),
              values.id()));
    }
    return new TypedIndex<>(owner, index, entries);
  }

  @Override
  public final GridInfo grid() {
    checkOpen();
    return engine.grid();
  }

  @Override
  public final <K, R> Table<K, R> table(
      String name, Codec<K> keys, Codec<R> rows, List<IndexDefinition<R, ?>> definitions) {
    checkOpen();
    CallChecks.notNull("the list of definitions", definitions);
    indexes.confirmTable(IndexNames.checked(name));
    try {
      return openTable(name, keys, rows, definitions);
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      // Somebody else has dropped the table of which this handle knows the indexes.
      indexes.forgetTable(name);
      return openTable(name, keys, rows, definitions);
    }
  }

  private <K, R> Table<K, R> openTable(
      String name, Codec<K> keys, Codec<R> rows, List<IndexDefinition<R, ?>> definitions) {
    return TypedTable.open(
        this, owner, tableStore, engine.tableBatches(), name, keys, rows, definitions);
  }

  @Override
  public final List<String> indexes() {
    checkOpen();
    return engine.indexes();
  }

  @Override
  public final boolean dropIndex(String name) {
    checkOpen();
    TablePart.check(IndexNames.checked(name));
    return indexes.dropIndex(name);
  }

  @Override
  public final boolean dropTable(String name) {
    checkOpen();
    IndexNames.checked(name);
    return indexes.dropTable(name);
  }

  @Override
  public final <X extends Exception> void run(TransactionOptions options, TransactionBody<X> body)
      throws X {
    checkCall(options, body);
    update(
        options,
        tx -> {
          body.run(tx);
          return tx;
        });
  }

  @Override
  public final <T extends @Nullable Object, X extends Exception> T call(
      TransactionOptions options, TransactionCall<T, X> body) throws X {
    checkCall(options, body);
    return update(options, body::call);
  }

  private <T extends @Nullable Object, X extends Exception> T update(
      TransactionOptions options, Bodies.Body<UpdateTransaction, T, X> body) throws X {
    CallChecks.checkPresent(options);
    return bodies.run(
        terms(options, Mode.ofUpdates(options.isolation())),
        transaction -> new UpdateTransaction(owner, transaction, null),
        body);
  }

  private Bodies.Terms terms(TransactionOptions options, Mode mode) {
    long deadlineNanos = engine.pace().nanoTime() + options.timeout().toNanos();
    Begin how = session.begin(options, mode, deadlineNanos);
    return new Bodies.Terms(
        how,
        options.maxAttempts(),
        engine::begin,
        clock -> session.saw(how.grid(), clock),
        statistics);
  }

  @Override
  public final <T extends @Nullable Object, X extends Exception> T read(
      TransactionOptions options, ReadBody<T, X> body) throws X {
    checkCall(options, body);
    boolean serializable = options.isolation() == Isolation.SERIALIZABLE;
    if (serializable) {
      CallChecks.checkPresent(options);
    }
    return bodies.run(
        terms(options, serializable ? Mode.SERIALIZABLE : Mode.READ_ONLY),
        transaction -> new SnapshotTransaction(owner, transaction),
        body::read);
  }

  @Override
  public final CompletionStage<@Nullable Void> runAsync(
      TransactionOptions options, TransactionBody<?> body) {
    checkCall(options, body);
    return async.submit(() -> {
      run(options, body);
      return null;
    });
  }

  @Override
  public final <T extends @Nullable Object> CompletionStage<T> callAsync(
      TransactionOptions options, TransactionCall<T, ?> body) {
    checkCall(options, body);
    return async.submit(() -> call(options, body));
  }

  @Override
  public final <T extends @Nullable Object> CompletionStage<T> readAsync(
      TransactionOptions options, ReadBody<T, ?> body) {
    checkCall(options, body);
    return async.submit(() -> read(options, body));
  }

  @Override
  public final <K, V> Flow.Publisher<Map.Entry<K, V>> publisher(
      TransactionOptions options, ReadBody<Cursor<K, V>, RuntimeException> scan) {
    checkCall(options, scan);
    return publishers.publisher(options, scan);
  }

  @Override
  public final Transaction begin(TransactionOptions options) {
    checkOpen();
    CallChecks.notNull("the options", options);
    CallChecks.checkPresent(options);
    bodies.checkNotInBody();
    return callers.begin(owner, options);
  }

  @Override
  public final void register(String name, TransactionFunction function) {
    checkOpen();
    CallChecks.notNull("the function", function);
    engine.checkRegisters();
    functions.register(name, function);
  }

  @Override
  public final byte[] execute(TransactionOptions options, FunctionCall call) {
    checkCall(options, call);
    CallChecks.checkPresent(options);
    CallChecks.checkFunctionTime(options);
    bodies.checkNotInBody();
    Bodies.Terms terms = terms(options, Mode.ofUpdates(options.isolation()));
    FunctionRequest request =
        new FunctionRequest(
            call.function(), call.arguments(), place(call), terms.how(), options.maxAttempts());
    FunctionResult elsewhere = counted(request);
    return elsewhere == null ? functions.runOwn(request, terms) : elsewhere.bytes();
  }

  /** The result of a function that was run elsewhere; null: the function is to be run here. */
  private @Nullable FunctionResult counted(FunctionRequest request) {
    LabelCounters counters = statistics.of(request.how().label());
    long beganNanos = engine.pace().nanoTime();
    try {
      FunctionResult result = engine.execute(request);
      if (result != null) {
        session.saw(request.how().grid(), result.clock());
        counters.attempted();
        statistics.executed(counters, result, engine.pace().nanoTime() - beganNanos);
      }
      return result;
    } catch (CanopyException e) {
      counters.attempted();
      counters.failed(e.code());
      throw e;
    }
  }

  private FunctionRequest.@Nullable At place(FunctionCall call) {
    AtomicReference<FunctionRequest.@Nullable At> at = new AtomicReference<>();
    call.place(
        new FunctionCall.PlaceReader() {
          @Override
          public <K> void place(Index<K, ?> index, @Nullable K key, @Nullable Range<K> range) {
            EntryCodec<K, ?> entries = entries(index);
            byte[] first =
                range == null ? entries.encodeKey(key) : entries.encodeRange(range).from();
            at.set(new FunctionRequest.At(opened(index), first));
          }
        });
    return at.get();
  }

  private <K, V> EntryCodec<K, V> entries(Index<K, V> index) {
    opened(index);
    return ((TypedIndex<K, V>) index).entries();
  }

  @Override
  public final CompletionStage<byte[]> executeAsync(TransactionOptions options, FunctionCall call) {
    checkCall(options, call);
    return async.submit(() -> execute(options, call));
  }

  @Override
  public final <K, V> Loader<K, V> loader(Index<K, V> index) {
    EntryCodec<K, V> entries = entries(index);
    TablePart.check(entries.index());
    return new PartLoader<>(this, index, entries, engine.pace());
  }

  @Override
  public final <K, V> ConcurrentNavigableMap<K, V> map(
      TransactionOptions options, Index<K, V> index) {
    opened(index);
    CallChecks.notNull("the options", options);
    return IndexMaps.autocommit(this, options, index);
  }

  /** The functions of this handle, for the engine. */
  protected final FunctionRuns functions() {
    return functions;
  }

  /** Opens indexes for functions. */
  private final class OwnIndexes implements IndexOpener {
    @Override
    public <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values) {
      IndexNames.checked(name);
      return TableNames.tableOf(name) == null
          ? EngineCanopy.this.open(name, keys, values, IndexOptions.DEFAULTS)
          : openPart(name, keys, values);
    }
  }

  /** Opens the indexes of which tables are made. */
  private final class TableIndexes implements IndexStore {
    @Override
    public <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values) {
      return EngineCanopy.this.open(name, keys, values, IndexOptions.DEFAULTS);
    }

    @Override
    public <K, V> TypedIndex<K, V> find(String name, Codec<K> keys, Codec<V> values) {
      return EngineCanopy.this.find(name, keys, values);
    }

    @Override
    public void checkDrops() {
      engine.checkDrops();
    }

    @Override
    public boolean drop(OpenIndex index) {
      return indexes.drop(index);
    }
  }

  @Override
  public final NamedSnapshot snapshot(String name) {
    checkOpen();
    return engine.snapshot(SnapshotNames.checked(name));
  }

  @Override
  public final List<NamedSnapshot> snapshots() {
    checkOpen();
    return engine.snapshots();
  }

  @Override
  public final IndexStructure structure(String index) {
    checkOpen();
    return new CheckedStructure(this::checkOpen, engine.structure(IndexNames.checked(index)));
  }

  @Override
  public final boolean dropSnapshot(String name) {
    checkOpen();
    return engine.dropSnapshot(SnapshotNames.checked(name));
  }

  @Override
  public final CausalToken token() {
    return session.token();
  }

  @Override
  public final CanopyStats stats() {
    return statistics.summary(indexes.all());
  }

  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      callers.close();
      try {
        engine.close();
      } finally {
        async.close();
      }
    }
  }

  /**
   * The engine's index behind an index of this handle.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX}, {@link ErrorCode#CANOPY_CLOSED}
   */
  protected final OpenIndex opened(@Nullable Index<?, ?> index) {
    checkOpen();
    CallChecks.notNull("the index", index);
    if (index instanceof TypedIndex<?, ?> own && own.owner() == owner) {
      return own.opened();
    }
    throw new CanopyException(ErrorCode.FOREIGN_INDEX, index + " is of another handle");
  }

  private void checkCall(@Nullable TransactionOptions options, @Nullable Object body) {
    checkOpen();
    CallChecks.notNull("the options", options);
    CallChecks.notNull("the body", body);
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new CanopyException(ErrorCode.CANOPY_CLOSED, "the handle is closed");
    }
  }
}
