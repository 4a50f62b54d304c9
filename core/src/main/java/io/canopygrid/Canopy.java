package io.canopygrid;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A handle to a database of ordered indexes, embedded in this JVM or reached over the network.
 * Thread-safe; made once and shared.
 *
 * <p>A handle carries what its transactions have seen ({@link #token}) from each to the next, so it
 * reads its own writes whichever node serves it.
 *
 * <p><b>Bodies.</b> {@link #run}, {@link #call} and {@link #read} run the caller's code as a
 * transaction: it commits when the body returns. After a conflict the body is run again, at most
 * {@link TransactionOptions#maxAttempts} times within {@link TransactionOptions#timeout}. An
 * exception that the body throws rolls the transaction back and is thrown on as it is, without
 * another attempt. Only a retryable {@link CanopyException} of Canopy itself leads to another
 * attempt. A body must not begin another transaction on its thread ({@link
 * ErrorCode#NESTED_TRANSACTION}).
 *
 * <p><b>Errors</b> of all transaction methods: {@link ErrorCode#RETRIES_EXHAUSTED}, {@link
 * ErrorCode#TIMEOUT}, {@link ErrorCode#COMMIT_UNKNOWN}, {@link ErrorCode#SHARD_UNAVAILABLE}, {@link
 * ErrorCode#NOT_CONNECTED}, {@link ErrorCode#CANOPY_CLOSED}, {@link ErrorCode#NESTED_TRANSACTION},
 * {@link ErrorCode#INTERRUPTED}.
 */
public interface Canopy extends AutoCloseable {
  /**
   * The grid that this handle is of: that of its node, or of the servers as of the last request.
   *
   * @throws CanopyException {@link ErrorCode#CANOPY_CLOSED}
   */
  GridInfo grid();

  /**
   * Opens an index, creating it on first use.
   *
   * @param name 1 to {@value Limits#INDEX_NAME_MAX} ASCII letters, digits, {@code . _ -}, beginning
   *     with a letter
   * @param keys an {@linkplain Codec#ordered ordered} codec
   * @param options used only if the index is created by this call
   * @throws CanopyException {@link ErrorCode#INVALID_INDEX_NAME}, {@link ErrorCode#CODEC_MISMATCH}
   *     if the index was created with other codecs, {@link ErrorCode#INVALID_ARGUMENT} if the key
   *     codec keeps no order
   */
  <K, V> Index<K, V> index(String name, Codec<K> keys, Codec<V> values, IndexOptions options);

  /** The same with {@link IndexOptions#DEFAULTS}. */
  default <K, V> Index<K, V> index(String name, Codec<K> keys, Codec<V> values) {
    return index(name, keys, values, IndexOptions.DEFAULTS);
  }

  /**
   * Opens a table, creating it on first use. The rows, the definitions and the secondary indexes
   * are indexes whose names begin with the table's and a dot.
   *
   * @param name as of an index, at most 100 characters
   * @param keys an ordered codec
   * @param definitions what the handle knows of its indexes: none is created by this
   * @throws CanopyException as {@link #index}; {@link ErrorCode#DEFINITION_MISMATCH} where an index
   *     was created differently
   */
  <K, R> Table<K, R> table(
      String name, Codec<K> keys, Codec<R> rows, List<IndexDefinition<R, ?>> definitions);

  /** The same without any definitions. */
  default <K, R> Table<K, R> table(String name, Codec<K> keys, Codec<R> rows) {
    return table(name, keys, rows, List.of());
  }

  /** The names of all indexes, sorted. */
  List<String> indexes();

  /**
   * Drops an index with all of its entries. When this returns nobody can read or write the index
   * any more: transactions that have it open end in {@link ErrorCode#UNKNOWN_INDEX}, as do handles
   * of it, also after an index of the same name was created again. The memory is freed in the
   * background. A named snapshot that was taken before shows the index as it was.
   *
   * <p>After an unknown outcome this method asks again, and never drops an index that was created
   * later than its call.
   *
   * @param name as of {@link #index}
   * @return whether there was one
   * @throws CanopyException {@link ErrorCode#PART_OF_TABLE} for an index that a table is made of;
   *     {@link ErrorCode#INVALID_INDEX_NAME}; {@link ErrorCode#COMMIT_UNKNOWN}; of a client also
   *     {@link ErrorCode#FORBIDDEN}
   */
  boolean dropIndex(String name);

  /**
   * Drops a table with its rows and all of its indexes, as {@link #dropIndex} drops an index.
   *
   * @param name as of {@link #table}
   * @return whether there was one
   * @throws CanopyException as {@link #dropIndex}
   */
  boolean dropTable(String name);

  /**
   * The structure of an index: how it is cut and placed, and changes of that by hand.
   *
   * @param index its name
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  IndexStructure structure(String index);

  /** Runs a body as one update transaction. */
  <X extends Exception> void run(TransactionOptions options, TransactionBody<X> body) throws X;

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default <X extends Exception> void run(TransactionBody<X> body) throws X {
    run(TransactionOptions.DEFAULTS, body);
  }

  /** Runs a body as one update transaction and returns its result. */
  <T extends @Nullable Object, X extends Exception> T call(
      TransactionOptions options, TransactionCall<T, X> body) throws X;

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default <T extends @Nullable Object, X extends Exception> T call(TransactionCall<T, X> body)
      throws X {
    return call(TransactionOptions.DEFAULTS, body);
  }

  /**
   * Runs a body on one snapshot, of the present or {@linkplain TransactionOptions#at a named one},
   * and returns its result. Under {@link Isolation#UPDATE_SERIALIZABLE} it never conflicts.
   *
   * <p>The compiler takes the type of the result from what is done with it. A method of many
   * overloads such as {@code println} says too little of that: assign the result to a variable.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_SNAPSHOT}
   */
  <T extends @Nullable Object, X extends Exception> T read(
      TransactionOptions options, ReadBody<T, X> body) throws X;

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default <T extends @Nullable Object, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return read(TransactionOptions.DEFAULTS, body);
  }

  /**
   * {@link #run(TransactionOptions, TransactionBody)} on a thread of the handle. The stage
   * completes on such a thread too, with what run would have thrown where it would have thrown.
   */
  CompletionStage<@Nullable Void> runAsync(TransactionOptions options, TransactionBody<?> body);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default CompletionStage<@Nullable Void> runAsync(TransactionBody<?> body) {
    return runAsync(TransactionOptions.DEFAULTS, body);
  }

  /** {@link #call(TransactionOptions, TransactionCall)} on a thread of the handle, see runAsync. */
  <T extends @Nullable Object> CompletionStage<T> callAsync(
      TransactionOptions options, TransactionCall<T, ?> body);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default <T extends @Nullable Object> CompletionStage<T> callAsync(TransactionCall<T, ?> body) {
    return callAsync(TransactionOptions.DEFAULTS, body);
  }

  /** {@link #read(TransactionOptions, ReadBody)} on a thread of the handle, see runAsync. */
  <T extends @Nullable Object> CompletionStage<T> readAsync(
      TransactionOptions options, ReadBody<T, ?> body);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default <T extends @Nullable Object> CompletionStage<T> readAsync(ReadBody<T, ?> body) {
    return readAsync(TransactionOptions.DEFAULTS, body);
  }

  /**
   * The entries of a cursor for code that reacts: {@code publisher(options, tx ->
   * tx.on(orders).scan(range).limit(1000))}. Each subscriber has a cursor and a read-only
   * transaction of its own, which begins with its first request, so it gets one snapshot in order,
   * and never more than it has asked for. {@code onNext} runs on threads of the handle, one at a
   * time, and may use the handle. No thread waits for a subscriber that asks for nothing.
   *
   * <p>{@link TransactionOptions#timeout} is the time from the first request to the last entry: a
   * subscriber that takes longer gets {@link ErrorCode#TIMEOUT}. Nothing is read again after an
   * error, since a subscriber would get entries twice; {@link TransactionOptions#maxAttempts} means
   * nothing here. {@code onError} gets what {@link #read} would throw. A subscriber that is not
   * waiting for an entry when the handle is closed gets {@link ErrorCode#CANOPY_CLOSED} with its
   * next request.
   *
   * @param scan opens a subscriber's cursor; the end of its transaction closes it
   */
  <K, V> Flow.Publisher<Map.Entry<K, V>> publisher(
      TransactionOptions options, ReadBody<Cursor<K, V>, RuntimeException> scan);

  /** The entries of a range, ascending, with {@link TransactionOptions#DEFAULTS}. */
  default <K, V> Flow.Publisher<Map.Entry<K, V>> publisher(Index<K, V> index, Range<K> range) {
    return publisher(TransactionOptions.DEFAULTS, tx -> tx.on(index).scan(range));
  }

  /**
   * Begins an update transaction that the caller ends. The caller repeats the transaction after a
   * conflict, since {@link TransactionOptions#maxAttempts} means nothing here; a transaction whose
   * time is over is rolled back.
   */
  Transaction begin(TransactionOptions options);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default Transaction begin() {
    return begin(TransactionOptions.DEFAULTS);
  }

  /** Global transactions, of which the handle's grid is one resource among others. */
  CanopyXa xa();

  /**
   * Makes a function known at this node, for {@link #execute} of any node. All nodes of a cluster
   * should register the same functions; which of them runs a call depends on its place. The
   * function is known as long as the node is there.
   *
   * @param name as of an index, but not beginning with {@value Functions#PREFIX}
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} for a name that is not allowed or
   *     taken, and at a client: a server loads its functions itself ({@link FunctionProvider})
   */
  void register(String name, TransactionFunction function);

  /**
   * Runs a registered function as one update transaction at the node that has the place of the
   * call. If all entries that the function reads and writes are there too, the transaction commits
   * there, and costs one request, or none at that node itself. The call takes effect at most once,
   * also when connections or nodes are lost meanwhile: then this method waits for the outcome, or
   * asks for it.
   *
   * <p>The function is run again after conflicts, there; {@link TransactionOptions#maxAttempts} and
   * {@link TransactionOptions#timeout}, of at most {@value Limits#FUNCTION_MINUTES_MAX} minutes,
   * bound that.
   *
   * @return the result of the function
   * @throws CanopyException {@link ErrorCode#UNKNOWN_FUNCTION}, {@link ErrorCode#FUNCTION_FAILED},
   *     {@link ErrorCode#FOREIGN_INDEX} and what the function throws with a code
   */
  byte[] execute(TransactionOptions options, FunctionCall call);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default byte[] execute(FunctionCall call) {
    return execute(TransactionOptions.DEFAULTS, call);
  }

  /** The same without a place, at any node. */
  default byte[] execute(String function, byte[] arguments) {
    return execute(FunctionCall.of(function, arguments));
  }

  /** {@link #execute(FunctionCall)} with the result as a value. */
  default <R> R execute(FunctionCall call, Codec<R> result) {
    return result.decode(execute(call));
  }

  /** {@link #execute(TransactionOptions, FunctionCall)} on a thread of the handle, see runAsync. */
  CompletionStage<byte[]> executeAsync(TransactionOptions options, FunctionCall call);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default CompletionStage<byte[]> executeAsync(FunctionCall call) {
    return executeAsync(TransactionOptions.DEFAULTS, call);
  }

  /**
   * An index as a concurrent map of the JDK, in which each call is a transaction of its own, or a
   * few: for code that wants a map, and for single reads and writes. Several changes together are a
   * body's ({@link ReadView#asNavigableMap} is a map in it); in a body this map's calls are {@link
   * ErrorCode#NESTED_TRANSACTION}. Thread-safe, as are its views, all of which are live.
   *
   * <p><b>Atomic</b> are {@code put}, {@code remove}, {@code replace}, {@code putIfAbsent}, {@code
   * compute} and its kin, {@code merge}, {@code pollFirstEntry} and {@code pollLastEntry}, and
   * {@code putAll}, which is one transaction and reads nothing. A function that is passed in runs
   * within the transaction, and again after a conflict: it must be safe to repeat and must not use
   * the handle. {@code clear}, {@code replaceAll}, {@code removeIf} and the like are many
   * transactions of some entries or one entry each; they can end half way.
   *
   * <p><b>Iterators</b> and streams are weakly consistent: they read batches of 16 to 256 entries,
   * each in a read-only transaction of its own, and keep nothing open. They show every entry that
   * is there all the time once, in order; of changes meanwhile they may show some. An iterator's
   * {@code remove} takes the key away, whatever its value is by then; an entry's {@code setValue}
   * throws {@link IllegalStateException} if the key is gone. For one state of the whole use a body,
   * or {@link TransactionOptions#at}.
   *
   * <p>All else, costs too, is as of {@link ReadView#asNavigableMap}. An interrupt, a timeout and
   * everything else that transactions report are coded errors here too.
   *
   * @param options those of each transaction; with {@linkplain TransactionOptions#at a named
   *     snapshot} the map can be read only ({@link ErrorCode#INVALID_ARGUMENT})
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX}, {@link ErrorCode#CANOPY_CLOSED}
   */
  <K, V> ConcurrentNavigableMap<K, V> map(TransactionOptions options, Index<K, V> index);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default <K, V> ConcurrentNavigableMap<K, V> map(Index<K, V> index) {
    return map(TransactionOptions.DEFAULTS, index);
  }

  /**
   * Loads entries in ascending order of their keys into an empty part of an index.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX}
   */
  <K, V> Loader<K, V> loader(Index<K, V> index);

  /**
   * The changes of an index from a position on, transaction by transaction: for a cache, a search
   * index or another database that is to follow it.
   *
   * <pre>{@code
   * try (ChangeFeed<Long, Order> feed = db.changes(orders, FeedOptions.fromNow())) {
   *   while (running) {
   *     ChangeSet<Long, Order> set = feed.next(Duration.ofSeconds(1));
   *     if (set != null) { apply(set); }
   *   }
   * }
   * }</pre>
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX}; {@link ErrorCode#UNKNOWN_SNAPSHOT};
   *     {@link ErrorCode#INVALID_TOKEN} for a position of another index or grid; {@link
   *     ErrorCode#CHANGES_LOST} where changes after the position are not kept any more; {@link
   *     ErrorCode#PROTOCOL_ERROR} where a server is of a release that has no feeds
   */
  <K, V> ChangeFeed<K, V> changes(Index<K, V> index, FeedOptions<K> options);

  /**
   * Takes a snapshot of all indexes: all that was committed before this call is in it. The snapshot
   * is kept for all nodes and clients until it is dropped, and costs the memory of what has been
   * overwritten since. Read it with {@link TransactionOptions#at}; an index that was created later
   * is empty in it.
   *
   * @param name as of an index
   * @throws CanopyException {@link ErrorCode#SNAPSHOT_EXISTS}, {@link ErrorCode#INVALID_ARGUMENT}
   *     for a name that is not allowed
   */
  NamedSnapshot snapshot(String name);

  /** All named snapshots, by name. */
  List<NamedSnapshot> snapshots();

  /**
   * Drops a named snapshot. Transactions that are reading it may end in {@link
   * ErrorCode#SNAPSHOT_TOO_OLD}.
   *
   * @return whether there was one
   */
  boolean dropSnapshot(String name);

  /**
   * Makes a clone of an index: another index that begins with the same entries and is written to by
   * itself, in a time that does not depend on how many there are. A clone of the present has all
   * that was committed before this call. Parent and clone do not see each other's changes, and may
   * be dropped in any order. Open the clone with the codecs of its parent; it can be read, written,
   * loaded, split, moved and cloned as any index, and its changes cannot be followed ({@link
   * #changes}).
   *
   * <p>The clone has its own changes only. A read of what it has not changed is a second read, of
   * the parent as it was; a removal keeps a mark in its place. Until the clone is dropped or
   * {@linkplain #flattenClone flattened} it holds, as a {@linkplain #snapshot named snapshot} does,
   * the memory of what has been overwritten in all indexes since.
   *
   * @param name of the clone, as of {@link #index}
   * @param source its parent, which is no part of a table
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX} where there is no such parent, {@link
   *     ErrorCode#INDEX_EXISTS}, {@link ErrorCode#UNKNOWN_SNAPSHOT}, {@link
   *     ErrorCode#CLONE_TOO_DEEP}, {@link ErrorCode#PART_OF_TABLE}, {@link
   *     ErrorCode#INVALID_INDEX_NAME}; {@link ErrorCode#PROTOCOL_ERROR} where a server is of a
   *     release that has no clones
   */
  IndexClone cloneIndex(String name, CloneSource source);

  /** All clones that are not flattened, by name. */
  List<IndexClone> clones();

  /**
   * Copies into a clone what it shares with its parents, in small transactions, beside those that
   * use it. At the end it is an index like any other, and holds nothing of its parents. A call that
   * ends before leaves a clone that is right, and another call goes on. Does nothing where the
   * index is no clone.
   *
   * @param name as of {@link #index}
   * @param progress gets the number of entries that are copied so far, again and again; an
   *     exception that it throws ends the call
   * @return how many entries were copied
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, also where the clone is dropped
   *     meanwhile; {@link ErrorCode#PART_OF_TABLE}
   */
  long flattenClone(String name, LongConsumer progress);

  /** The same without telling how far it is. */
  default long flattenClone(String name) {
    return flattenClone(name, copied -> {});
  }

  /**
   * A token of all that this handle's transactions have seen so far. Another handle can go on from
   * it.
   */
  CausalToken token();

  /**
   * From now on a listener hears of the transactions that this handle begins. A handle has one, or
   * none: the last one that was given counts.
   *
   * @param listener null: nobody hears of them any more, which costs nothing
   * @throws CanopyException {@link ErrorCode#CANOPY_CLOSED}
   */
  void listen(@Nullable TransactionListener listener);

  /** Counts since this handle was made. */
  CanopyStats stats();

  /**
   * Ends open transactions without effect and frees everything; an embedded node leaves its
   * cluster. Does nothing when closed. Calls under way end in {@link ErrorCode#CANOPY_CLOSED}.
   */
  @Override
  void close();
}
