package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.Placement;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.TreeAccess;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.balance.Splitter;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.KeyText;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.Pace;
import io.canopygrid.function.FunctionRuns;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.transaction.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transactions on a node in this JVM. Thread-safe. */
final class EmbeddedEngine implements Engine {
  private final GmuNode node;
  private final Splitter splitter;
  private final TreeAccess access;
  private final Catalog catalog;
  private final Snapshots snapshots;
  private final CommitLedger ledger;
  private final NumberedIndexes numbered;
  private final FunctionServing serving;
  private final FunctionServer functionServer;
  private final FunctionCalls calls;
  private final NodeQuestions questions;
  private final Balance balance;
  private final OwnUse ownUse;

  /** The engine of a node, which becomes its own. */
  EmbeddedEngine(GmuNode node, SplitLimits limits, BalanceSetup balanced, Session session) {
    this.node = node;
    this.questions = new NodeQuestions(node.calls());
    NewSubtrees subtrees = new NewSubtrees(node);
    this.splitter = new Splitter(node, subtrees, limits);
    BalanceLimits balancing = balanced.limits();
    LoadRecorder recorder = new LoadRecorder(node, balanced.chance(), balancing.memorySeconds());
    this.ownUse = balancing.placement() == Placement.NEAR ? recorder.hearOwnUse() : OwnUse.NONE;
    this.access = new TreeAccess(node, splitter::settle, subtrees::several);
    this.catalog = new Catalog(node, subtrees, session);
    this.snapshots = new Snapshots(node, catalog);
    this.ledger = new CommitLedger(node);
    this.numbered = new NumberedIndexes(this, catalog);
    this.serving = new FunctionServing(this, numbered, ledger);
    this.functionServer = new FunctionServer(serving, ledger);
    this.calls = new FunctionCalls(this, node, questions, ledger, serving);
    this.balance = new Balance(node, questions, splitter.reshaping(), recorder, balancing);
  }

  /** Runs functions for others from now on. */
  void serve(FunctionRuns functions) {
    serving.open(functions);
    questions.serve(NodeQuestions.Kind.FUNCTION, functionServer);
    questions.open();
  }

  @Override
  public @Nullable FunctionResult execute(FunctionRequest request) {
    return calls.execute(request);
  }

  /** The node that is the primary of a key, as far as this one knows; null: none is known. */
  @Nullable NodeId ownerOf(IndexRef index, byte[] key) {
    int shard = shardOf(index, key);
    List<NodeId> owners = shard < 0 ? List.of() : node.topology().shard(shard).owners();
    return owners.isEmpty() ? null : owners.get(0);
  }

  /** The shard of a key; -1: it is not known here yet. */
  int shardOf(IndexRef index, byte[] key) {
    long kcl = Crown.subtreeOf(node.top(), index.number(), key);
    return kcl == SubtreeHeader.NONE ? -1 : node.shardMap().shardOf(kcl);
  }

  Balance balance() {
    return balance;
  }

  Splitter splitter() {
    return splitter;
  }

  @Override
  public Pace pace() {
    return access.threads();
  }

  @Override
  public OpenIndex open(EntryCodec<?, ?> entries, IndexOptions options) {
    CatalogEntry entry =
        catalog.open(
            entries.index(),
            new Catalog.Wanted(
                entries.keys().id(), entries.values().id(), options.subtreeEntriesMax()));
    return ref(entries.index(), entry, entries.keys());
  }

  /** An index of the catalog. */
  IndexRef ref(String name, CatalogEntry entry, Codec<?> keys) {
    return new IndexRef(
        name, entry, key -> KeyText.of(keys, key), () -> splitter.splits(entry.number()));
  }

  /** The same node for a server. */
  ServedNode served() {
    return new ServedNode(this, node, catalog, ledger, numbered, serving);
  }

  @Override
  public List<String> indexes() {
    return catalog.names();
  }

  @Override
  public IndexStructure structure(String name) {
    CatalogEntry entry = catalog.entries().get(name);
    if (entry == null || Catalog.isOfSystem(name)) {
      throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "there is no index '" + name + "'");
    }
    return structure(name, entry.number());
  }

  /** How the index of a number is cut and placed. */
  IndexStructure structure(String name, int number) {
    return new EmbeddedStructure(node, balance, new CutOffs(catalog), name, number);
  }

  @Override
  public TreeTransaction begin(Begin how) {
    return begin(how, ownUse);
  }

  /** Begins a transaction for a caller elsewhere, who would go where the data goes. */
  TreeTransaction beginServed(Begin how) {
    return begin(how, OwnUse.NONE);
  }

  private TreeTransaction begin(Begin how, OwnUse use) {
    if (how.snapshot().isEmpty()) {
      return access.begin(how, use);
    }
    Snapshots.Taken taken = snapshots.find(how.snapshot());
    return access.beginAt(taken.clock(), taken.exact(), how, use);
  }

  @Override
  public NamedSnapshot snapshot(String name) {
    return snapshots.take(name);
  }

  @Override
  public List<NamedSnapshot> snapshots() {
    return snapshots.list();
  }

  @Override
  public boolean dropSnapshot(String name) {
    return snapshots.drop(name);
  }

  @Override
  public void close() {
    balance.close();
    functionServer.close();
    ledger.close();
    splitter.close();
    node.close();
  }
}
