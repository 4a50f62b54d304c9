package io.canopygrid.runtime;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyXa;
import io.canopygrid.CausalToken;
import io.canopygrid.ChangeFeed;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FunctionCall;
import io.canopygrid.GridInfo;
import io.canopygrid.Index;
import io.canopygrid.IndexClone;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.Isolation;
import io.canopygrid.Loader;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.ReadBody;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionBody;
import io.canopygrid.TransactionCall;
import io.canopygrid.TransactionFunction;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionListener.Call;
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
import io.canopygrid.table.TypedTable;
import io.canopygrid.transaction.Bodies;
import io.canopygrid.transaction.CallerTransactions;
import io.canopygrid.transaction.Session;
import io.canopygrid.transaction.SnapshotTransaction;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.transaction.UpdateTransaction;
import io.canopygrid.transaction.Watching;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.TypedIndex;
import io.canopygrid.xa.XaBranches;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
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
  private final Feeds feeds;
  private final Clones clones;
  private final XaBranches xa;
  private final SentFunctions sent;

  /** The identity by which this handle knows its own indexes. */
  private final Handle owner = new Handle();

  private final KnownIndexes indexes;
  private final HandleIndexes opener;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable TransactionListener listener;

  /**
   * A handle of an engine, which becomes its own.
   *
   * @param session the engine's, where it has a use for one
   */
  protected EngineCanopy(Engine engine, Session session) {
    this.engine = engine;
    this.session = session;
    this.indexes = new KnownIndexes(engine);
    this.opener = new HandleIndexes(engine, owner, indexes, this::checkOpen);
    this.bodies = new Bodies(engine.pace());
    this.async = new AsyncCalls(engine.pace().executor());
    this.functions = new FunctionRuns(bodies, owner, opener);
    this.callers = new CallerTransactions(engine, session, statistics);
    this.feeds = new Feeds(engine, session, this::checkOpen);
    this.clones = new Clones(engine, this::checkOpen);
    this.sent = new SentFunctions(engine, session, statistics);
    this.xa =
        new XaBranches(
            engine,
            session,
            options -> callers.beginBranch(owner, options, watching(Call.BEGIN, options)),
            this::checkOpen);
    this.publishers =
        new Publishers(owner, callers, async, this::checkOpen, how -> watching(Call.PUBLISH, how));
  }

  @Override
  public final <K, V> Index<K, V> index(
      String name, Codec<K> keys, Codec<V> values, IndexOptions options) {
    checkOpen();
    IndexNames.checked(name);
    CallChecks.notNull("the options", options);
    indexes.confirm(name);
    return opener.open(name, keys, values, options);
  }

  /**
   * An index that exists, or existed and is in a snapshot that is in use. It is not created. The
   * one that exists is kept.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#CODEC_MISMATCH}
   */
  protected final <K, V> TypedIndex<K, V> find(String name, Codec<K> keys, Codec<V> values) {
    return opener.find(name, keys, values);
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
        this, owner, opener.ofTables(), engine.tableBatches(), name, keys, rows, definitions);
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
    Watching watching = watching(Call.RUN, options);
    watching.over(() -> run(options, body, watching));
  }

  private <X extends Exception> UpdateTransaction run(
      TransactionOptions options, TransactionBody<X> body, Watching watching) throws X {
    return update(
        options,
        tx -> {
          body.run(tx);
          return tx;
        },
        watching);
  }

  @Override
  public final <T extends @Nullable Object, X extends Exception> T call(
      TransactionOptions options, TransactionCall<T, X> body) throws X {
    checkCall(options, body);
    Watching watching = watching(Call.RUN, options);
    return watching.over(() -> update(options, body::call, watching));
  }

  private <T extends @Nullable Object, X extends Exception> T update(
      TransactionOptions options, Bodies.Body<UpdateTransaction, T, X> body, Watching watching)
      throws X {
    CallChecks.checkPresent(options);
    return bodies.run(
        terms(options, Mode.ofUpdates(options.isolation()), watching),
        transaction -> new UpdateTransaction(owner, transaction, null),
        body);
  }

  private Bodies.Terms terms(TransactionOptions options, Mode mode, Watching watching) {
    long deadlineNanos = engine.pace().nanoTime() + options.timeout().toNanos();
    Begin how = session.begin(options, mode, deadlineNanos);
    return new Bodies.Terms(
        how,
        options.maxAttempts(),
        engine::begin,
        clock -> session.saw(how.grid(), clock),
        statistics,
        watching);
  }

  @Override
  public final <T extends @Nullable Object, X extends Exception> T read(
      TransactionOptions options, ReadBody<T, X> body) throws X {
    checkCall(options, body);
    Watching watching = watching(Call.READ, options);
    return watching.over(() -> read(options, body, watching));
  }

  private <T extends @Nullable Object, X extends Exception> T read(
      TransactionOptions options, ReadBody<T, X> body, Watching watching) throws X {
    boolean serializable = options.isolation() == Isolation.SERIALIZABLE;
    if (serializable) {
      CallChecks.checkPresent(options);
    }
    return bodies.run(
        terms(options, serializable ? Mode.SERIALIZABLE : Mode.READ_ONLY, watching),
        transaction -> new SnapshotTransaction(owner, transaction),
        body::read);
  }

  @Override
  public final CompletionStage<@Nullable Void> runAsync(
      TransactionOptions options, TransactionBody<?> body) {
    checkCall(options, body);
    Watching watching = watching(Call.RUN, options);
    return submit(
        watching,
        () -> {
          run(options, body, watching);
          return null;
        });
  }

  @Override
  public final <T extends @Nullable Object> CompletionStage<T> callAsync(
      TransactionOptions options, TransactionCall<T, ?> body) {
    checkCall(options, body);
    Watching watching = watching(Call.RUN, options);
    return submit(watching, () -> update(options, body::call, watching));
  }

  @Override
  public final <T extends @Nullable Object> CompletionStage<T> readAsync(
      TransactionOptions options, ReadBody<T, ?> body) {
    checkCall(options, body);
    Watching watching = watching(Call.READ, options);
    return submit(watching, () -> read(options, body, watching));
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
    return callers.begin(owner, options, watching(Call.BEGIN, options));
  }

  @Override
  public final CanopyXa xa() {
    checkOpen();
    return xa;
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
    Watching watching = watching(Call.EXECUTE, options);
    return watching.over(() -> execute(options, call, watching));
  }

  private byte[] execute(TransactionOptions options, FunctionCall call, Watching watching) {
    CallChecks.checkPresent(options);
    CallChecks.checkFunctionTime(options);
    bodies.checkNotInBody();
    Bodies.Terms terms = terms(options, Mode.ofUpdates(options.isolation()), watching);
    FunctionRequest request =
        new FunctionRequest(
            call.function(),
            call.arguments(),
            CallPlace.of(call, this::opened),
            watching.traced(terms.how()),
            options.maxAttempts());
    FunctionResult elsewhere = sent.run(request, watching);
    return elsewhere == null ? functions.runOwn(request, terms) : elsewhere.bytes();
  }

  private <K, V> EntryCodec<K, V> entries(Index<K, V> index) {
    opened(index);
    return ((TypedIndex<K, V>) index).entries();
  }

  @Override
  public final CompletionStage<byte[]> executeAsync(TransactionOptions options, FunctionCall call) {
    checkCall(options, call);
    Watching watching = watching(Call.EXECUTE, options);
    return submit(watching, () -> execute(options, call, watching));
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

  @Override
  public final <K, V> ChangeFeed<K, V> changes(Index<K, V> index, FeedOptions<K> options) {
    EntryCodec<K, V> entries = entries(index);
    CallChecks.notNull("the options", options);
    return feeds.open(entries, opened(index), options);
  }

  /** The functions of this handle, for the engine. */
  protected final FunctionRuns functions() {
    return functions;
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
  public final IndexClone cloneIndex(String name, CloneSource source) {
    checkOpen();
    return clones.make(name, source);
  }

  @Override
  public final List<IndexClone> clones() {
    checkOpen();
    return engine.clones();
  }

  @Override
  public final long flattenClone(String name, LongConsumer progress) {
    return clones.flatten(name, progress);
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
  public final void listen(@Nullable TransactionListener heard) {
    checkOpen();
    listener = heard;
  }

  private Watching watching(Call call, TransactionOptions options) {
    return Watching.of(listener, engine.recorder(), call, options);
  }

  private <T extends @Nullable Object> CompletionStage<T> submit(
      Watching watching, Callable<T> work) {
    CompletionStage<T> submitted = async.submit(() -> watching.over(work::call));
    watching.endsWith(submitted);
    return submitted;
  }

  @Override
  public final CanopyStats stats() {
    return statistics.summary(indexes.all());
  }

  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        feeds.close();
        callers.close();
      } finally {
        try {
          engine.close();
        } finally {
          async.close();
        }
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
