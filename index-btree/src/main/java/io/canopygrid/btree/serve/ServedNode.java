package io.canopygrid.btree.serve;

import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.catalog.IndexDrops;
import io.canopygrid.btree.catalog.KeyPlaces;
import io.canopygrid.btree.catalog.NumberedIndexes;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.drop.DropKeeper;
import io.canopygrid.btree.feed.ServedFeed;
import io.canopygrid.btree.function.ExplainedCall;
import io.canopygrid.btree.function.FunctionServing;
import io.canopygrid.btree.function.NamedCall;
import io.canopygrid.btree.horizon.HorizonReader;
import io.canopygrid.btree.hot.HotReader;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.btree.ledger.ForgottenCommits;
import io.canopygrid.btree.structure.HeatReader;
import io.canopygrid.btree.structure.Structures;
import io.canopygrid.btree.upgrade.GridUpgrade;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.transaction.LabelCounters;
import io.canopygrid.transaction.Statistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node as a server serves it: indexes, transactions and functions of clients, the outcomes of
 * named commits, and the places of data. It counts what clients do. Thread-safe.
 */
public final class ServedNode {
  private final GmuNode node;
  private final Engine engine;
  private final Services services;
  private final Statistics statistics = new Statistics();
  private volatile @Nullable TopPulse pulse;
  private volatile Supplier<String> waits = () -> "";
  private volatile Supplier<@Nullable LostDisks> lostDisks = () -> null;
  private volatile @Nullable Leaving leaving;

  /**
   * The parts of an engine that work for callers elsewhere.
   *
   * @param begin begins a transaction of a caller elsewhere
   * @param changes opens a feed
   */
  public record Services(
      Function<Begin, TreeTransaction> begin,
      BiFunction<IndexRef, FeedStart, ServedFeed> changes,
      Catalog catalog,
      NumberedIndexes indexes,
      IndexDrops drops,
      DropKeeper leftOfDrops,
      KeyPlaces places,
      Structures structures,
      CommitLedger ledger,
      ForgottenCommits forgotten,
      FunctionServing functions,
      StatusReader status,
      ServerTalk talk,
      HeatReader heat,
      HorizonReader horizon,
      HotReader hot,
      GridUpgrade upgrade) {}

  /** A node for a server. */
  public ServedNode(GmuNode node, Engine engine, Services services) {
    this.node = node;
    this.engine = engine;
    this.services = services;
  }

  /** A part of an index: from a key to that of the next part, at a node, in a shard. */
  public record Part(byte[] from, String node, int shard) {}

  /** The engine, for what belongs to no client: the named snapshots. */
  public Engine engine() {
    return engine;
  }

  /** The node's name in the grid. */
  public String name() {
    return node.self().toString();
  }

  /** The node's name for people. */
  public String displayName() {
    return node.view().find(node.self()).map(GridView.Member::name).orElse(name());
  }

  /** The grid that the node is of. */
  public GridInfo grid() {
    return engine.grid();
  }

  /** The number of shards of the grid, without TOP. */
  public int shards() {
    return node.shardMap().shards();
  }

  /**
   * Whether the node is a member, and serves every shard that it is the primary of; and where it is
   * {@linkplain #watch watched}, whether TOP answers.
   */
  public boolean isReady() {
    TopPulse watching = pulse;
    return node.isReady() && (watching == null || watching.isAnswered());
  }

  /**
   * Opens an index, which is created where there is none.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_MISMATCH}
   */
  public IndexRef open(String name, String keyCodec, String valueCodec, IndexOptions options) {
    CatalogEntry entry =
        services
            .catalog()
            .open(name, new Catalog.Wanted(keyCodec, valueCodec, options.subtreeEntriesMax()));
    if (!entry.keyCodec().equals(keyCodec) || !entry.valueCodec().equals(valueCodec)) {
      throw new CanopyException(
          ErrorCode.CODEC_MISMATCH,
          String.format(
              Locale.ROOT,
              "index '%s' has keys %s and values %s, not %s and %s",
              name,
              entry.keyCodec(),
              entry.valueCodec(),
              keyCodec,
              valueCodec));
    }
    return services.indexes().stored(name, entry);
  }

  /** One of the system's own indexes, of text by text. */
  public IndexRef openSystem(String name) {
    return open(
        Catalog.SYSTEM + name, Codec.string().id(), Codec.string().id(), IndexOptions.DEFAULTS);
  }

  /**
   * The index of a name.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef find(String name) {
    return services.indexes().stored(name, services.catalog().find(name));
  }

  /**
   * The index of a name, or the last one that had it and was dropped, as long as a snapshot in use
   * may have it.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef findAlsoDropped(String name) {
    return services.indexes().stored(name, services.catalog().findAlsoDropped(name));
  }

  /**
   * Drops an index.
   *
   * @param upTo the greatest number that it may have
   * @return whether there was one
   */
  public boolean dropIndex(String name, int upTo) {
    return drop(services.drops().dropIndex(name, upTo));
  }

  /**
   * Drops a table with all of its indexes.
   *
   * @param upTo the greatest number that its definitions may have
   * @return whether there was one
   */
  public boolean dropTable(String name, int upTo) {
    return drop(services.drops().dropTable(name, upTo));
  }

  private boolean drop(IndexDrops.Dropped dropped) {
    services.leftOfDrops().mark(dropped.all());
    return dropped.isAny();
  }

  /**
   * The index of a number, one of the system's included.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef index(int number) {
    return services.indexes().index(number);
  }

  /**
   * The index of a number, where it is a user's: the system's own are for no client to use.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef indexOfUser(int number) {
    return services.indexes().ofUser(number);
  }

  /** The same where this node has met the index before; else null. Does not block. */
  public @Nullable IndexRef indexOfUserAtHand(int number) {
    return services.indexes().ofUserAtHand(number);
  }

  /** All indexes of users, by name. */
  public List<IndexRef> indexes() {
    SortedMap<String, CatalogEntry> entries = services.catalog().entries();
    return entries.entrySet().stream()
        .filter(entry -> !Catalog.isOfSystem(entry.getKey()))
        .map(entry -> services.indexes().stored(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Begins a transaction of the server itself, which may write as much as it likes. */
  public ServedTransaction begin(Begin how) {
    return begin(how, Long.MAX_VALUE, WriteMemory.UNLIMITED);
  }

  /** Whether a transaction begins without a question to another node. Does not block. */
  public boolean beginsAtHand(Begin how) {
    return how.snapshot().isEmpty() && node.beginsAtHand(how.after());
  }

  /**
   * Begins a transaction of a client.
   *
   * @param writtenBytesMax most bytes of keys and values that it may write
   * @param memory the server's, of which it takes what it writes until it ends
   * @throws CanopyException {@link ErrorCode#UNKNOWN_SNAPSHOT}
   */
  public ServedTransaction begin(Begin how, long writtenBytesMax, WriteMemory memory) {
    long beganNanos = System.nanoTime();
    LabelCounters counters = statistics.of(how.label());
    counters.attempted();
    TreeTransaction tree = services.begin().apply(how);
    WriteLimits limits = new WriteLimits(tree.id(), writtenBytesMax, memory);
    return new ServedTransaction(
        tree, limits, statistics, counters, services.ledger(), how.label(), beganNanos);
  }

  /**
   * Opens a feed of an index for a client, whose position is of this grid.
   *
   * @throws CanopyException as {@link Engine#changes}
   */
  public ServedFeed changes(IndexRef index, FeedStart start) {
    return services.changes().apply(index, start);
  }

  /** Counts of the transactions that were begun here, and of the indexes that they used. */
  public CanopyStats stats() {
    return statistics.summary(services.indexes().known());
  }

  /**
   * The latencies of the transactions of clients that have committed here, as {@link
   * io.canopygrid.stats.LatencyRecorder#counts}.
   */
  public SortedMap<Long, Long> latencyCounts() {
    return statistics.latencyCounts();
  }

  private ClientFacts ownClients() {
    return ClientFacts.of(node.self(), stats(), statistics.latencyCounts(), oldestTransaction());
  }

  /** The counts of clients' transactions at all members that answer; this one is first. */
  public List<ClientFacts> clients() {
    List<ClientFacts> all = new ArrayList<>();
    all.add(ownClients());
    all.addAll(services.status().clientsElsewhere());
    return all;
  }

  /**
   * Runs a function for a client.
   *
   * @param rights what the client may do
   * @param explained where its steps are recorded; null: nowhere
   * @throws CanopyException for whatever goes wrong
   */
  public FunctionResult execute(
      NamedCall call, FunctionRights rights, @Nullable ExplainedCall explained) {
    services.forgotten().forget(call.forget());
    return services.functions().run(call, rights, statistics, explained);
  }

  /** The outcomes of commits that have a name. */
  public CommitLedger commits() {
    return services.ledger();
  }

  /** The commits that their clients will not look up any more. */
  public ForgottenCommits forgotten() {
    return services.forgotten();
  }

  /** Whether this node is the one to ask for a key, as far as it knows. */
  public boolean has(IndexRef index, byte[] key) {
    return node.self().equals(services.places().primaryOf(index, key));
  }

  /** The parts of an index, by key; the node of a part without an owner is empty. */
  public List<Part> parts(IndexRef index) {
    Topology topology = node.topology();
    List<Part> parts = new ArrayList<>();
    Crown.forEach(
        node.top(),
        entry -> {
          if (entry.index() == index.number()) {
            int shard = node.shardMap().shardOf(entry.kcl());
            List<NodeId> owners = topology.shard(shard).owners();
            String owner = owners.isEmpty() ? "" : owners.get(0).toString();
            parts.add(new Part(entry.separator(), owner, shard));
          }
        });
    return parts;
  }

  /** The structure of an index: its subtrees, where they are, and what changes them. */
  public IndexStructure structure(IndexRef index) {
    return services.structures().of(index.name(), index.number());
  }

  /** The number of the topology that this node has installed. */
  public long topology() {
    return node.topology().id();
  }

  /** For how long the oldest transaction that began at this node has been running. */
  public Duration oldestTransaction() {
    return services.status().oldestTransaction();
  }

  /** The figures of this node itself. */
  public NodeCounts counts() {
    return new NodeCounts(node);
  }

  /** The members, oldest first. */
  public List<GridMember> members() {
    return services.status().members();
  }

  /** Where the members are, by what they say. */
  public ZoneFacts zones() {
    return services.status().zones();
  }

  /** The shards whose primaries can be reached, if the grid goes on from this node's side. */
  public int servedShards() {
    return node.view().available()
        ? members().stream().filter(GridMember::reachable).mapToInt(GridMember::primaryShards).sum()
        : 0;
  }

  /** The number of copies that all shards are to have together. */
  public int copiesWanted() {
    return shards() * node.view().owners();
  }

  /** The state of the grid as this node sees it now. */
  public GridStatus status() {
    return services.status().read(isReady());
  }

  /** The number of nodes that were stopped with their disks, and are awaited. */
  public int awaitedNodes() {
    return node.view().awaited();
  }

  /** Why the node waits for disks of others and is no member, in words; empty: it does not. */
  public String waits() {
    return waits.get();
  }

  /** Why the node is not ready, in words; empty: it is. */
  public String obstacle() {
    if (isReady()) {
      return "";
    }
    String disks = waits();
    return disks.isEmpty() ? services.status().obstacle() : disks;
  }

  /** Takes the word that disks are lost for which the node waits; null: it does not wait. */
  public @Nullable LostDisks lostDisks() {
    return lostDisks.get();
  }

  /** From now on these say what {@link #waits} and {@link #lostDisks} return. */
  public void waitsBy(Supplier<String> words, Supplier<@Nullable LostDisks> disks) {
    waits = words;
    lostDisks = disks;
  }

  /** From now on this is how the node leaves for good. */
  public void leavesBy(Leaving how) {
    leaving = how;
  }

  /**
   * Lets the node leave, as {@link Leaving#leave}.
   *
   * @param name the id or the name of the node that is meant
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where that is another one; {@link
   *     ErrorCode#LEAVE_REFUSED} where it stays
   */
  public boolean leave(String name, boolean abandons) {
    if (!name.equals(name()) && !name.equals(displayName())) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "this is the server of node " + displayName() + ", and not of '" + name + "'");
    }
    Leaving how = leaving;
    if (how == null) {
      throw new CanopyException(
          ErrorCode.LEAVE_REFUSED, "the program that runs node " + name() + " decides on that");
    }
    return how.leave(abandons);
  }

  /** The questions between this node's server and the others. */
  public ServerTalk talk() {
    return services.talk();
  }

  /** The uses of keys in the last hour. */
  public HeatReader heat() {
    return services.heat();
  }

  /** The past that the nodes keep, and what holds the horizon back. */
  public HorizonReader horizon() {
    return services.horizon();
  }

  /** The entries that are read most, and where their copies are. */
  public HotReader hot() {
    return services.hot();
  }

  /** The way from one release to the next. */
  public GridUpgrade upgrade() {
    return services.upgrade();
  }

  /** The place of this node's data as it is now. */
  public DataFacts ownData() {
    return services.status().ownData();
  }

  /** The places of the data of all members that answer, this one first. */
  public List<DataFacts> data() {
    return services.status().data();
  }

  /**
   * Watches whether TOP answers, which belongs to being ready then, and tells others the release.
   *
   * @param version of this node's release
   * @return ends the watch
   */
  public NodeWatch watch(String version) {
    TopPulse started = TopPulse.start(node);
    pulse = started;
    services.status().serve(version, this::isReady, this::ownClients);
    return started;
  }
}
