package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.transaction.LabelCounters;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.wire.client.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/**
 * A node as a server serves it: indexes and transactions by bytes, each client with a clock of its
 * own, and where everything is. Thread-safe.
 */
public final class ServedNode {
  private final GmuNode node;
  private final EmbeddedEngine engine;
  private final Catalog catalog;
  private final CommitLedger ledger;
  private final Statistics statistics = new Statistics();
  private final NumberedIndexes numbered;
  private final FunctionServing functions;

  ServedNode(
      EmbeddedEngine engine,
      GmuNode node,
      Catalog catalog,
      CommitLedger ledger,
      NumberedIndexes numbered,
      FunctionServing functions) {
    this.numbered = numbered;
    this.functions = functions;
    this.engine = engine;
    this.node = node;
    this.catalog = catalog;
    this.ledger = ledger;
    ledger.start();
  }

  /** A part of an index: from a key to the next part's, at a node, in a shard. */
  public record Part(byte[] from, String node, int shard) {}

  /** The node's name in the grid. */
  public String name() {
    return node.self().toString();
  }

  /** How many shards the grid has, TOP left out. */
  public int shards() {
    return node.shardMap().shards();
  }

  /** Whether it is a member, and serves every shard that it is the primary of. */
  public boolean isReady() {
    return node.isReady();
  }

  /**
   * Opens an index, which is created where there is none.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_MISMATCH}
   */
  public IndexRef open(String name, String keyCodec, String valueCodec, IndexOptions options) {
    CatalogEntry entry =
        catalog.open(name, new Catalog.Wanted(keyCodec, valueCodec, options.subtreeEntriesMax()));
    if (!entry.keyCodec().equals(keyCodec) || !entry.valueCodec().equals(valueCodec)) {
      throw new CanopyException(
          ErrorCode.CODEC_MISMATCH,
          "index '%s' has keys %s and values %s, not %s and %s"
              .formatted(name, entry.keyCodec(), entry.valueCodec(), keyCodec, valueCodec));
    }
    return numbered.stored(name, entry);
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
    CatalogEntry entry = catalog.entries().get(name);
    if (entry == null || Catalog.isOfSystem(name)) {
      throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "there is no index '" + name + "'");
    }
    return numbered.stored(name, entry);
  }

  /**
   * The index of a number.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef index(int number) {
    return numbered.index(number);
  }

  /** All indexes of users, by name. */
  public List<IndexRef> indexes() {
    SortedMap<String, CatalogEntry> entries = catalog.entries();
    return entries.entrySet().stream()
        .filter(entry -> !Catalog.isOfSystem(entry.getKey()))
        .map(entry -> numbered.stored(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Whether an index is one of the system's own, which no user may see. */
  public static boolean isOfSystem(IndexRef index) {
    return Catalog.isOfSystem(index.name());
  }

  /**
   * Begins a transaction.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_SNAPSHOT}
   */
  public ServedTransaction begin(Begin how) {
    long beganNanos = engine.pace().nanoTime();
    LabelCounters counters = statistics.of(how.label());
    counters.attempted();
    return new ServedTransaction(
        engine.beginServed(how), statistics, counters, ledger, beganNanos, how.deadlineNanos());
  }

  /** Counts of the transactions that were begun here, and of the indexes that they used. */
  public CanopyStats stats() {
    return statistics.summary(numbered.known());
  }

  /** Takes a named snapshot. */
  public NamedSnapshot snapshot(String name) {
    return engine.snapshot(name);
  }

  /** All named snapshots, by name. */
  public List<NamedSnapshot> snapshots() {
    return engine.snapshots();
  }

  /** Drops a named snapshot; whether there was one. */
  public boolean dropSnapshot(String name) {
    return engine.dropSnapshot(name);
  }

  /**
   * Runs a function for a client.
   *
   * @param after what it must see
   * @param rights what the client may do
   * @throws CanopyException whatever goes wrong
   */
  public FunctionResult execute(Request.Execute call, VectorClock after, FunctionRights rights) {
    ledger.forget(call.forget());
    return functions.run(call, after, rights, statistics);
  }

  /** What became of a commit; prevents it where it has not happened. */
  public Reply.Outcome lookUp(CommitId name) {
    CommitLedger.Settled settled = ledger.lookUp(name);
    boolean committed = settled.state() == CommitState.COMMITTED;
    return new Reply.Outcome(settled.state(), settled.seen(), committed ? settled.result() : null);
  }

  /** These commits have happened and nobody will ask for them. */
  public void forget(Collection<CommitId> names) {
    ledger.forget(names);
  }

  /** Whether this node is the one to ask for a key, as far as it knows. */
  public boolean has(IndexRef index, byte[] key) {
    return node.self().equals(engine.ownerOf(index, key));
  }

  /** Where the parts of an index are, by key; of parts without an owner the node is empty. */
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

  /** How an index is cut and placed. */
  public IndexStructure structure(IndexRef index) {
    return engine.structure(index.name(), index.number());
  }

  /** The number of the topology that this node has installed. */
  public long topology() {
    return node.topology().id();
  }

  /** As {@link EmbeddedCanopy#oldestTransaction()}. */
  public Duration oldestTransaction() {
    return Duration.ofNanos(node.oldestTransactionNanos());
  }

  /** The members, oldest first, without addresses. */
  public List<Reply.Member> members() {
    Topology topology = node.topology();
    List<Reply.Member> members = new ArrayList<>();
    for (NodeId member : topology.members()) {
      int primary = 0;
      int owned = 0;
      for (int shard = 0; shard < topology.top(); shard++) {
        List<NodeId> owners = topology.shard(shard).owners();
        primary += !owners.isEmpty() && owners.get(0).equals(member) ? 1 : 0;
        owned += owners.contains(member) ? 1 : 0;
      }
      members.add(new Reply.Member(member.toString(), "", primary, owned));
    }
    return members;
  }
}
