package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.CloneSource;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.IndexClone;
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
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.catalog.CloneLimits;
import io.canopygrid.btree.catalog.ClonePins;
import io.canopygrid.btree.catalog.CutOffs;
import io.canopygrid.btree.catalog.Founding;
import io.canopygrid.btree.catalog.IndexClones;
import io.canopygrid.btree.catalog.IndexDrops;
import io.canopygrid.btree.catalog.KeyPlaces;
import io.canopygrid.btree.catalog.LevelChanges;
import io.canopygrid.btree.catalog.MarkKeeper;
import io.canopygrid.btree.catalog.NamedSnapshots;
import io.canopygrid.btree.catalog.NumberedIndexes;
import io.canopygrid.btree.catalog.TimeMarks;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.GridEntry;
import io.canopygrid.btree.drop.DropKeeper;
import io.canopygrid.btree.drop.DropLimits;
import io.canopygrid.btree.explain.ExplainedReader;
import io.canopygrid.btree.feed.FeedLimits;
import io.canopygrid.btree.feed.IndexFeed;
import io.canopygrid.btree.feed.IndexFeeds;
import io.canopygrid.btree.function.FunctionCalls;
import io.canopygrid.btree.function.FunctionServer;
import io.canopygrid.btree.function.FunctionServing;
import io.canopygrid.btree.horizon.HorizonReader;
import io.canopygrid.btree.hot.HotReader;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.btree.ledger.ForgottenCommits;
import io.canopygrid.btree.ledger.GridTime;
import io.canopygrid.btree.ledger.LedgerKeeper;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.btree.load.LoadHistory;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.btree.prepared.GlobalTransactions;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServerTalk;
import io.canopygrid.btree.serve.StatusReader;
import io.canopygrid.btree.structure.Balance;
import io.canopygrid.btree.structure.BalanceSetup;
import io.canopygrid.btree.structure.HeatReader;
import io.canopygrid.btree.structure.Structures;
import io.canopygrid.btree.upgrade.GridUpgrade;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.Pace;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.engine.StepRecorder;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.function.FunctionRuns;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.LeaveException;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.transaction.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Transactions on a node in this JVM. Thread-safe. */
final class EmbeddedEngine implements Engine {
  /** The wait for the state of a time, which is told only when a later one is kept. */
  private static final long SNAPSHOT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final GmuNode node;
  private final Splitter splitter;
  private final TreeAccess access;
  private final Catalog catalog;
  private final NumberedIndexes numbered;
  private final KeyPlaces places;
  private final NamedSnapshots snapshots;
  private final TimeMarks marks;
  private final IndexClones clones;
  private final GlobalTransactions prepared;
  private final Flattening flattening;
  private final IndexDrops drops;
  private final DropKeeper left;
  private final CommitLedger ledger;
  private final ForgottenCommits forgotten;
  private final LedgerKeeper keeper;
  private final FunctionServing serving;
  private final FunctionServer functionServer;
  private final FunctionCalls calls;
  private final NodeQuestions questions;
  private final Balance balance;
  private final StatusReader status;
  private final ExplainedReader explained;
  private final LevelChanges levels;
  private final GridUpgrade upgrade;
  private final ServedNode.Services services;
  private final OwnUse ownUse;
  private final IndexFeeds feeds;
  private final Session session;
  private final TableBatches tableBatches;
  private volatile @Nullable Founding founding;
  private volatile @Nullable MarkKeeper markKeeper;

  /** The engine of a node, which becomes its own. */
  EmbeddedEngine(
      GmuNode node,
      SplitLimits limits,
      BalanceSetup balanced,
      LedgerSetup kept,
      TableBatches tableBatches,
      FeedLimits fed,
      CloneLimits cloned,
      Session session) {
    this.node = node;
    this.session = session;
    this.tableBatches = tableBatches;
    this.questions = new NodeQuestions(node.calls());
    NewSubtrees subtrees = new NewSubtrees(node);
    this.splitter = new Splitter(node, subtrees, limits);
    BalanceLimits balancing = balanced.limits();
    LoadRecorder recorder = new LoadRecorder(node, balanced.chance(), balancing.memorySeconds());
    this.ownUse = balancing.placement() == Placement.NEAR ? recorder.hearOwnUse() : OwnUse.NONE;
    this.access = new TreeAccess(node, splitter::settle, subtrees::several);
    this.catalog = new Catalog(node, subtrees, session);
    this.numbered = new NumberedIndexes(catalog, splitter::splits);
    this.places = new KeyPlaces(node);
    this.snapshots = new NamedSnapshots(node, catalog, kept.machine().wallMillis());
    this.marks = new TimeMarks(node, catalog, kept.machine().wallMillis());
    this.drops = new IndexDrops(node, catalog);
    this.clones = new IndexClones(node, catalog, kept.machine().wallMillis());
    this.prepared = new GlobalTransactions(node, kept.machine().wallMillis());
    this.flattening =
        new Flattening(clones, access.threads(), this::beginServed, cloned.stepKeys());
    ClonePins pins = new ClonePins(node, cloned.graceMillis());
    this.left =
        new DropKeeper(
            node,
            DropLimits.DEFAULT,
            () -> {
              numbered.forgetDropped();
              pins.dropUnneeded();
            });
    this.levels = new LevelChanges(node, catalog);
    GridTime time = new GridTime(node, kept.machine(), kept.limits());
    this.ledger = new CommitLedger(node, time, kept.limits());
    this.forgotten = new ForgottenCommits(node);
    this.keeper = new LedgerKeeper(node, time, forgotten, kept.limits(), levels::look);
    this.serving = new FunctionServing(this::beginServed, access.threads(), numbered, ledger);
    this.functionServer = new FunctionServer(serving, forgotten, node.threads());
    this.calls = new FunctionCalls(node, places, questions, ledger, serving, kept.identity().get());
    this.balance = new Balance(node, questions, splitter.reshaping(), recorder, balancing);
    this.status = new StatusReader(node, questions, balance);
    this.explained = new ExplainedReader(node, questions);
    this.feeds = new IndexFeeds(node, questions, catalog, fed, this::token);
    this.upgrade = new GridUpgrade(node, levels, questions, status::releases);
    this.services = services(recorder.history(), kept.machine().wallMillis());
  }

  /** Runs functions for others from now on. */
  void serve(FunctionRuns functions) {
    serving.open(functions);
    questions.serve(NodeQuestions.Kind.FUNCTION, functionServer);
    questions.open();
  }

  @Override
  public @Nullable FunctionResult execute(FunctionRequest request) {
    try {
      return calls.execute(request);
    } catch (CanopyException e) {
      throw told(request.how(), e);
    }
  }

  /** An error of a transaction of this handle, of which its session hears. */
  private CanopyException told(Begin how, CanopyException e) {
    session.failed(how.grid(), how.after(), e);
    return e;
  }

  Balance balance() {
    return balance;
  }

  LedgerKeeper keeper() {
    return keeper;
  }

  /** Takes indexes out of the catalog. */
  IndexDrops drops() {
    return drops;
  }

  /** Takes away what is left of dropped indexes. */
  DropKeeper leftOfDrops() {
    return left;
  }

  TimeMarks marks() {
    return marks;
  }

  /** Keeps states of the past from now on, until this is closed; to be called once. */
  void keepPast(Duration retention) {
    long millis = retention.toMillis();
    MarkKeeper keeping = new MarkKeeper(node, marks, millis, MarkKeeper.stepMillis(millis));
    markKeeper = keeping;
    keeping.start();
  }

  CommitLedger ledger() {
    return ledger;
  }

  Splitter splitter() {
    return splitter;
  }

  @Override
  public Pace pace() {
    return access.threads();
  }

  /**
   * Learns which grid the node has come to, or founds it. Until then, as in a simulation, the
   * clocks of transactions are of no grid.
   */
  Founding enter() {
    Founding entered = Founding.of(catalog, GridId.random(), node.level().level());
    levels.look();
    founding = entered;
    node.belongsWhere(GridEntry.KEY, GridEntry.encode(entered.grid()));
    session.enter(entered.grid().id());
    return entered;
  }

  /** Whether the node has founded its grid; false also before it has entered one. */
  boolean hasFounded() {
    Founding known = founding;
    return known != null && known.founded();
  }

  /** In a simulation, whose node enters no grid, nothing is recorded. */
  @Override
  public StepRecorder recorder() {
    return founding == null ? StepRecorder.NONE : explained.recorder();
  }

  @Override
  public GridInfo grid() {
    Founding known = founding;
    return known == null ? enter().grid() : known.grid();
  }

  @Override
  public OpenIndex open(EntryCodec<?, ?> entries, IndexOptions options) {
    CatalogEntry entry =
        catalog.open(
            entries.index(),
            new Catalog.Wanted(
                entries.keys().id(), entries.values().id(), options.subtreeEntriesMax()));
    return numbered.ref(entries.index(), entry, entries.keys());
  }

  @Override
  public OpenIndex find(EntryCodec<?, ?> entries) {
    CatalogEntry entry = catalog.findAlsoDropped(entries.index());
    return numbered.ref(entries.index(), entry, entries.keys());
  }

  @Override
  public boolean dropIndex(String name) {
    return drop(drops.dropIndex(name, IndexDrops.NEWEST));
  }

  @Override
  public boolean drop(OpenIndex index) {
    return drop(drops.dropIndex(index.name(), ((IndexRef) index).number()));
  }

  @Override
  public boolean dropTable(String name) {
    return drop(drops.dropTable(name, IndexDrops.NEWEST));
  }

  private boolean drop(IndexDrops.Dropped dropped) {
    left.mark(dropped.all());
    return dropped.isAny();
  }

  /** The way from one release to the next. */
  GridUpgrade upgrade() {
    return upgrade;
  }

  private ServedNode.Services services(LoadHistory history, LongSupplier wallMillis) {
    return new ServedNode.Services(
        this::beginServed,
        this::changes,
        catalog,
        numbered,
        drops,
        left,
        places,
        new Structures(node, balance, new CutOffs(catalog)),
        ledger,
        forgotten,
        serving,
        status,
        new ServerTalk(node, questions, explained),
        new HeatReader(node, questions, history),
        new HorizonReader(node, questions, wallMillis),
        new HotReader(node, questions),
        upgrade);
  }

  /** This node for a server. */
  ServedNode served() {
    return new ServedNode(node, this, services);
  }

  @Override
  public List<String> indexes() {
    return catalog.names();
  }

  @Override
  public IndexStructure structure(String name) {
    return services.structures().of(name, catalog.find(name).number());
  }

  @Override
  public TreeTransaction begin(Begin how) {
    try {
      return begin(how, ownUse);
    } catch (CanopyException e) {
      throw told(how, e);
    }
  }

  /**
   * Begins a transaction for a caller elsewhere. Data is not drawn to this node by its use: such a
   * caller would go where the data goes.
   */
  TreeTransaction beginServed(Begin how) {
    return begin(how, OwnUse.NONE);
  }

  private TreeTransaction begin(Begin asked, OwnUse use) {
    Founding known = founding;
    Begin how = known == null ? asked : asked.in(known.grid().id());
    if (how.snapshot().isEmpty()) {
      return access.begin(how, use);
    }
    NamedSnapshots.Taken taken = taken(how.snapshot(), how.deadlineNanos());
    return access.beginAt(taken.clock(), taken.exact(), how, use);
  }

  @Override
  public TableBatches tableBatches() {
    return tableBatches;
  }

  @Override
  public IndexFeed changes(OpenIndex index, FeedStart start) {
    start.requireOf(((IndexRef) index).number());
    if (((IndexRef) index).isClone()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "index '" + index.name() + "' was made as a clone: its changes cannot be followed");
    }
    CausalToken after = start.after();
    VectorClock known =
        after != null
            ? after.clock()
            : start.snapshot().isEmpty() ? null : taken(start.snapshot()).clock();
    return feeds.open((IndexRef) index, start.range(), known);
  }

  /** A clock as a token of the grid. */
  private CausalToken token(VectorClock clock) {
    Founding known = founding;
    return CausalToken.of(known == null ? null : known.grid().id(), clock);
  }

  private NamedSnapshots.Taken taken(String snapshot) {
    return taken(snapshot, node.threads().nanoTime() + SNAPSHOT_NANOS);
  }

  private NamedSnapshots.Taken taken(String snapshot, long deadlineNanos) {
    return SnapshotNames.isTime(snapshot)
        ? marks.find(SnapshotNames.timeMillis(snapshot), deadlineNanos)
        : snapshots.find(snapshot);
  }

  @Override
  public IndexClone cloneIndex(String name, CloneSource source) {
    String then = source.snapshot();
    return clones.make(name, source.index(), then.isEmpty() ? null : taken(then));
  }

  @Override
  public List<IndexClone> clones() {
    return clones.list();
  }

  @Override
  public FlattenStep flatten(String name, int number) {
    CatalogEntry entry = catalog.ofNumber(name, number);
    return flattening.step(numbered.stored(name, entry));
  }

  @Override
  public PreparedTransactions prepared() {
    return prepared;
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

  /**
   * Waits until this node may leave for good; the next close does so.
   *
   * @param abandons whether it may whatever is lost
   */
  void prepareToLeaveForGood(boolean abandons) {
    if (abandons) {
      node.abandon();
    }
    try {
      node.prepareToLeaveForGood();
    } catch (LeaveException e) {
      throw new CanopyException(ErrorCode.LEAVE_REFUSED, String.valueOf(e.getMessage()), e);
    }
  }

  /** Lets a close, now or later, wait for nothing. */
  void abandon() {
    node.abandon();
  }

  /** Serves the other nodes until it may leave. */
  @Override
  public void close() {
    node.prepareToLeave();
    balance.close();
    functionServer.close();
    feeds.close();
    MarkKeeper marking = markKeeper;
    if (marking != null) {
      marking.close();
    }
    keeper.close();
    left.close();
    splitter.close();
    try {
      node.close();
    } catch (LeaveException e) {
      throw new CanopyException(ErrorCode.LEFT_WITH_DATA, String.valueOf(e.getMessage()), e);
    } catch (StorageException e) {
      throw new CanopyException(ErrorCode.DISK_UNUSABLE, String.valueOf(e.getMessage()), e);
    }
  }
}
