package io.canopygrid.btree.embedded;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.CausalToken;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Isolation;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.ReadBody;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionBody;
import io.canopygrid.TransactionCall;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TreeAccess;
import io.canopygrid.btree.access.TreeTransaction.Mode;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.balance.Splitter;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.spi.EntryCodec;
import io.canopygrid.spi.IndexNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;

/**
 * {@link Canopy} on a node in this JVM: alone, or as a member of a cluster. Thread-safe; closing it
 * takes the node out of its cluster.
 *
 * <pre>{@code
 * try (Canopy db = EmbeddedCanopy.start()) {
 *   Index<Long, String> names = db.index("names", Codec.int64(), Codec.string());
 *   db.run(tx -> tx.on(names).put(1L, "Ada"));
 * }
 * }</pre>
 */
public final class EmbeddedCanopy implements Canopy {
  /** A lone node spreads nothing: just enough that commits of different subtrees do not queue. */
  private static final int STANDALONE_SHARDS = 16;

  private final GmuNode node;
  private final Splitter splitter;
  private final Session session = new Session();
  private final Statistics statistics = new Statistics();
  private final Catalog catalog;
  private final Snapshots snapshots;
  private final Bodies bodies;
  private final CallerTransactions callers;
  private final AsyncCalls async = new AsyncCalls();

  /** By which this handle knows its own indexes. */
  private final Handle owner = new Handle();

  private final Map<String, OpenIndex> indexes = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedCanopy(GmuNode node, SplitLimits limits) {
    this.node = node;
    NewSubtrees subtrees = new NewSubtrees(node);
    this.splitter = new Splitter(node, subtrees, limits);
    TreeAccess access = new TreeAccess(node, splitter::settle);
    this.catalog = new Catalog(node, subtrees, session);
    this.snapshots = new Snapshots(node, catalog);
    this.bodies = new Bodies(access, session, snapshots, statistics);
    this.callers = new CallerTransactions(access, session, statistics);
  }

  /** An index as the catalog has it. */
  private record OpenIndex(IndexRef ref, CatalogEntry entry) {}

  /** Starts a node that is alone in this JVM: no network, nothing to configure, one copy. */
  public static EmbeddedCanopy start() {
    return of(
        StandaloneNode.start(
            new ShardMap(STANDALONE_SHARDS),
            NodeSettings.DEFAULT,
            BPlusTree.factory(),
            new SubtreeFences()),
        SplitLimits.DEFAULT);
  }

  /**
   * Joins a cluster, or founds it where none of the configured members runs. Returns when this node
   * has its share of the data.
   *
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}; {@link ErrorCode#CONFIG_INVALID} where
   *     the running cluster is set up differently; {@link ErrorCode#SHARD_UNAVAILABLE} where it has
   *     lost data's owners; {@link ErrorCode#NOT_CONNECTED} where it cannot be joined otherwise
   */
  public static EmbeddedCanopy join(ClusterConfig config) {
    return of(ClusterJoin.alone(config), SplitLimits.DEFAULT);
  }

  /**
   * Joins with an Infinispan that the caller runs and stops. Its transport carries Canopy's
   * messages too; address, port, members and failureTimeout of the configuration are not used.
   *
   * @param caches clustered and started
   * @throws CanopyException as {@link #join}
   */
  public static EmbeddedCanopy on(EmbeddedCacheManager caches, ClusterConfig config) {
    return of(ClusterJoin.on(caches, config), SplitLimits.DEFAULT);
  }

  /** The handle of a node, which becomes its own. */
  static EmbeddedCanopy of(GmuNode node, SplitLimits limits) {
    return new EmbeddedCanopy(node, limits);
  }

  @Override
  public <K, V> Index<K, V> index(
      String name, Codec<K> keys, Codec<V> values, IndexOptions options) {
    checkOpen();
    IndexNames.checked(name);
    checkCodecs(name, keys, values, options);
    EntryCodec<K, V> entries = new EntryCodec<>(name, keys, values);
    OpenIndex index = indexes.get(name);
    if (index == null) {
      index = open(name, entries, options);
    }
    CatalogEntry entry = index.entry();
    if (!entry.keyCodec().equals(keys.id()) || !entry.valueCodec().equals(values.id())) {
      throw new CanopyException(
          ErrorCode.CODEC_MISMATCH,
          "index '%s' has keys %s and values %s, not %s and %s"
              .formatted(name, entry.keyCodec(), entry.valueCodec(), keys.id(), values.id()));
    }
    IndexOptions stored = new IndexOptions(entry.arity(), entry.subtreeEntriesMax());
    return new EmbeddedIndex<>(owner, index.ref(), entries, stored);
  }

  private static void checkCodecs(
      String name,
      @Nullable Codec<?> keys,
      @Nullable Codec<?> values,
      @Nullable IndexOptions options) {
    if (keys == null || values == null || options == null) {
      throw new CanopyException(
          ErrorCode.NULL_NOT_ALLOWED, "a codec or the options of index '" + name + "' are null");
    }
    if (!keys.ordered()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "codec " + keys.id() + " keeps no order, so it cannot encode keys of '" + name + "'");
    }
  }

  private <K, V> OpenIndex open(String name, EntryCodec<K, V> entries, IndexOptions options) {
    CatalogEntry entry =
        catalog.open(
            name,
            new Catalog.Wanted(
                entries.keys().id(),
                entries.values().id(),
                options.arity(),
                options.subtreeEntriesMax()));
    IndexRef ref =
        new IndexRef(
            name, entry.number(), entry.firstSubtree(), key -> KeyText.of(entries.keys(), key));
    return indexes.computeIfAbsent(name, any -> new OpenIndex(ref, entry));
  }

  @Override
  public List<String> indexes() {
    checkOpen();
    return catalog.names();
  }

  @Override
  public <X extends Exception> void run(TransactionOptions options, TransactionBody<X> body)
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
  public <T extends @Nullable Object, X extends Exception> T call(
      TransactionOptions options, TransactionCall<T, X> body) throws X {
    checkCall(options, body);
    return update(options, body::call);
  }

  private <T extends @Nullable Object, X extends Exception> T update(
      TransactionOptions options, Bodies.Body<EmbeddedTransaction, T, X> body) throws X {
    checkPresent(options);
    return bodies.run(
        options,
        options.isolation() == Isolation.SERIALIZABLE ? Mode.SERIALIZABLE : Mode.UPDATE,
        tree -> new EmbeddedTransaction(owner, tree, null),
        body);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T read(
      TransactionOptions options, ReadBody<T, X> body) throws X {
    checkCall(options, body);
    boolean serializable = options.isolation() == Isolation.SERIALIZABLE;
    if (serializable) {
      checkPresent(options);
    }
    return bodies.run(
        options,
        serializable ? Mode.SERIALIZABLE : Mode.READ_ONLY,
        tree -> new SnapshotTransaction(owner, tree),
        body::read);
  }

  @Override
  public CompletionStage<@Nullable Void> runAsync(
      TransactionOptions options, TransactionBody<?> body) {
    checkCall(options, body);
    return async.submit(() -> {
      run(options, body);
      return null;
    });
  }

  @Override
  public <T extends @Nullable Object> CompletionStage<T> callAsync(
      TransactionOptions options, TransactionCall<T, ?> body) {
    checkCall(options, body);
    return async.submit(() -> call(options, body));
  }

  @Override
  public <T extends @Nullable Object> CompletionStage<T> readAsync(
      TransactionOptions options, ReadBody<T, ?> body) {
    checkCall(options, body);
    return async.submit(() -> read(options, body));
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    checkOpen();
    notNull("the options", options);
    checkPresent(options);
    bodies.checkNotInBody();
    return callers.begin(owner, options);
  }

  @Override
  public NamedSnapshot snapshot(String name) {
    checkOpen();
    return snapshots.take(name);
  }

  @Override
  public List<NamedSnapshot> snapshots() {
    checkOpen();
    return snapshots.list();
  }

  @Override
  public boolean dropSnapshot(String name) {
    checkOpen();
    return snapshots.drop(name);
  }

  @Override
  public CausalToken token() {
    return CausalToken.of(session.clock());
  }

  /**
   * Checks in one snapshot that an index is sound: its subtrees partition the key space, their
   * links and the crown agree, and every entry is where it belongs. Others may go on writing
   * meanwhile.
   *
   * @return what was found
   * @throws CanopyException {@link ErrorCode#INTERNAL_ERROR} that says what is wrong, {@link
   *     ErrorCode#TIMEOUT} where not all could be read in time, {@link ErrorCode#FOREIGN_INDEX}
   */
  public IndexCheck.Report check(Index<?, ?> index, Duration timeout) {
    int number = numberOf(index);
    try {
      long deadlineNanos = node.threads().nanoTime() + timeout.toNanos();
      return IndexCheck.run(node, number, session.clock(), deadlineNanos);
    } catch (TimeoutException e) {
      throw Failures.timeout(null, e);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /**
   * How many entries of an index this node has a copy of, as their primary or as a backup. Over all
   * nodes of a cluster at rest that is the number of entries times that of the owners.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX}
   */
  public long copies(Index<?, ?> index) {
    int number = numberOf(index);
    AtomicLong copies = new AtomicLong();
    Crown.forEach(
        node.top(),
        entry -> {
          if (entry.index() == number) {
            copies.addAndGet(node.entries(entry.kcl()));
          }
        });
    return copies.get();
  }

  private int numberOf(Index<?, ?> index) {
    checkOpen();
    notNull("the index", index);
    if (!(index instanceof EmbeddedIndex<?, ?> own) || own.owner() != owner) {
      throw new CanopyException(ErrorCode.FOREIGN_INDEX, index + " is of another handle");
    }
    return own.ref().number();
  }

  @Override
  public CanopyStats stats() {
    return statistics.summary(indexes.values().stream().map(OpenIndex::ref).toList(), splitter);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      callers.close();
      splitter.close();
      node.close();
      async.close();
    }
  }

  /** How many subtrees wait for a split at this node, or are being split. */
  int splitsUnderWay() {
    return splitter.underWay();
  }

  /** How many splits at this node ended by an error that should not be. */
  long failedSplits() {
    return splitter.failures();
  }

  private void checkCall(@Nullable TransactionOptions options, @Nullable Object body) {
    checkOpen();
    notNull("the options", options);
    notNull("the body", body);
  }

  private static void checkPresent(TransactionOptions options) {
    if (!options.snapshot().isEmpty()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "snapshot '"
              + options.snapshot()
              + "' is for plain reads: it cannot be written to, and has nothing to validate");
    }
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new CanopyException(ErrorCode.CANOPY_CLOSED, "the handle is closed");
    }
  }

  private static void notNull(String what, @Nullable Object value) {
    if (value == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
  }
}
