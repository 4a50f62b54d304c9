package io.canopygrid.btree.embedded;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.Index;
import io.canopygrid.UpgradeState;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.balance.Splitter;
import io.canopygrid.btree.catalog.CloneLimits;
import io.canopygrid.btree.catalog.Founding;
import io.canopygrid.btree.catalog.IndexDrops;
import io.canopygrid.btree.catalog.TimeMarks;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.check.ShardProbe;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.drop.DropKeeper;
import io.canopygrid.btree.feed.FeedLimits;
import io.canopygrid.btree.ledger.LedgerKeeper;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.structure.Balance;
import io.canopygrid.btree.structure.BalanceSetup;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.WaitListener;
import io.canopygrid.runtime.EngineCanopy;
import io.canopygrid.transaction.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Canopy} on a node in this JVM: alone, or as a member of a cluster. Thread-safe; closing it
 * takes the node out of its cluster, once the others have all that it has.
 *
 * <pre>{@code
 * try (Canopy db = EmbeddedCanopy.start()) {
 *   Index<Long, String> names = db.index("names", Codec.int64(), Codec.string());
 *   db.run(tx -> tx.on(names).put(1L, "Ada"));
 * }
 * }</pre>
 */
public final class EmbeddedCanopy extends EngineCanopy {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCanopy.class);

  /** A lone node spreads nothing: just enough that commits of different subtrees do not queue. */
  private static final int STANDALONE_SHARDS = 16;

  private final GmuNode node;
  private final Session session;
  private final Splitter splitter;
  private final EmbeddedEngine engine;

  private EmbeddedCanopy(GmuNode node, EmbeddedEngine engine, Session session) {
    super(engine, session);
    this.node = node;
    this.session = session;
    this.splitter = engine.splitter();
    this.engine = engine;
  }

  /** Starts a node that is alone in this JVM: no network, nothing to configure, one copy. */
  public static EmbeddedCanopy start() {
    return balanced(
        StandaloneNode.start(
            new ShardMap(STANDALONE_SHARDS),
            NodeSettings.DEFAULT,
            BPlusTree.factory(),
            new SubtreeFences()),
        BalanceLimits.DEFAULT);
  }

  /**
   * Joins a cluster, or founds it where none of the configured members runs. Returns when this node
   * has its share of the data.
   *
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}; {@link ErrorCode#CONFIG_INVALID} where
   *     the running cluster is set up differently; {@link ErrorCode#SHARD_UNAVAILABLE} where it has
   *     lost data's owners; {@link ErrorCode#NOT_CONNECTED} where it cannot be joined otherwise.
   *     With a data directory {@code CONFIG_INVALID} also where the node cannot use it, and {@link
   *     ErrorCode#DISK_UNUSABLE} where its disk is full, damaged or failing
   */
  public static EmbeddedCanopy join(ClusterConfig config) {
    return join(config, why -> {});
  }

  /**
   * The same, and says why it has not returned yet where this node has data on disk and other nodes
   * that have data of the grid are not there.
   *
   * @param waits hears it in words, at most every few seconds, on the thread that joins, and the
   *     empty text when it waits no longer; also when the node becomes a member again later. It
   *     must not throw
   * @throws CanopyException as {@link #join(ClusterConfig)}
   */
  public static EmbeddedCanopy join(ClusterConfig config, Consumer<String> waits) {
    return joining(
        config,
        new WaitListener() {
          @Override
          public void waits(String why) {
            waits.accept(why);
          }

          @Override
          public void canBeTold(@Nullable LostDisks disks) {}
        });
  }

  /** The same, for a caller that can also say that disks are lost. */
  static EmbeddedCanopy joining(ClusterConfig config, WaitListener waits) {
    LastWait last = new LastWait(waits);
    EmbeddedCanopy canopy =
        balanced(ClusterJoin.alone(config, last), BalanceSetup.limits(config.balancing()));
    canopy.engine.keepPast(config.retention());
    canopy.served().waitsBy(last::words, last::disks);
    return canopy;
  }

  /**
   * Joins with an Infinispan that the caller runs and stops. Its transport carries Canopy's
   * messages too; address, port, members and failureTimeout of the configuration are not used, and
   * an identity is refused: what protects that transport protects these messages.
   *
   * @param caches clustered and started
   * @throws CanopyException as {@link #join(ClusterConfig)}
   */
  public static EmbeddedCanopy on(EmbeddedCacheManager caches, ClusterConfig config) {
    EmbeddedCanopy canopy =
        balanced(ClusterJoin.on(caches, config), BalanceSetup.limits(config.balancing()));
    canopy.engine.keepPast(config.retention());
    return canopy;
  }

  /** The handle of a node, which becomes its own and takes its part in the balance. */
  static EmbeddedCanopy balanced(GmuNode node, BalanceLimits limits) {
    LongUnaryOperator chance = bound -> ThreadLocalRandom.current().nextLong(bound);
    EmbeddedCanopy canopy = of(node, SplitLimits.DEFAULT, new BalanceSetup(limits, chance));
    try {
      canopy.enter();
    } catch (RuntimeException e) {
      canopy.close();
      throw e;
    }
    canopy.engine.balance().controller().start();
    canopy.engine.keeper().start();
    canopy.engine.leftOfDrops().start();
    return canopy;
  }

  private void enter() {
    Founding founding = engine.enter();
    GridInfo grid = founding.grid();
    if (founding.founded()) {
      LOG.info("{} founded a new, empty grid {}", node.self(), grid.id());
    } else {
      LOG.info("{} joined grid {}, founded {}", node.self(), grid.id(), grid.founded());
    }
  }

  /** The handle of a node, which becomes its own; nothing is balanced but by hand. */
  static EmbeddedCanopy of(GmuNode node, SplitLimits limits) {
    return of(node, limits, BalanceSetup.byHand(BalanceLimits.OFF));
  }

  /** The handle of a node, which becomes its own; its controller is not started. */
  static EmbeddedCanopy of(GmuNode node, SplitLimits limits, BalanceSetup balance) {
    return of(
        node,
        limits,
        balance,
        LedgerSetup.DEFAULT,
        TableBatches.DEFAULT,
        FeedLimits.DEFAULT,
        CloneLimits.DEFAULT);
  }

  /** The same with clocks and limits of its ledger, sizes of batches, and limits of clones. */
  static EmbeddedCanopy of(
      GmuNode node,
      SplitLimits limits,
      BalanceSetup balance,
      LedgerSetup ledger,
      TableBatches batches,
      FeedLimits feeds,
      CloneLimits clones) {
    Session session = new Session();
    EmbeddedEngine engine =
        new EmbeddedEngine(node, limits, balance, ledger, batches, feeds, clones, session);
    EmbeddedCanopy canopy = new EmbeddedCanopy(node, engine, session);
    engine.serve(canopy.functions());
    return canopy;
  }

  /**
   * Checks in one snapshot that an index is sound: its subtrees partition the key space, their
   * links and the crown agree, and every entry is where it belongs. Other transactions may go on
   * writing meanwhile.
   *
   * @return what was found
   * @throws CanopyException {@link ErrorCode#INTERNAL_ERROR} that says what is wrong, {@link
   *     ErrorCode#TIMEOUT} where not all could be read in time, {@link ErrorCode#FOREIGN_INDEX}
   */
  public IndexCheck.Report check(Index<?, ?> index, Duration timeout) {
    int number = numberOf(index);
    VectorClock after = session.clock();
    try {
      long deadlineNanos = node.threads().nanoTime() + timeout.toNanos();
      return IndexCheck.run(node, number, after, deadlineNanos);
    } catch (TimeoutException e) {
      throw Failures.timeout(null, e);
    } catch (RuntimeException e) {
      RuntimeException failure = Failures.ofNode(e, null);
      if (failure instanceof CanopyException coded) {
        session.failed(engine.grid().id(), after, coded);
      }
      throw failure;
    }
  }

  /**
   * The number of entries of an index of which this node has a copy, as their primary or as a
   * backup. The sum over all nodes of a cluster at rest is the number of entries times that of the
   * owners.
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

  /** The number of shards, including the one of the crown. Shards are numbered from 0. */
  public int shards() {
    return node.shardMap().shards() + 1;
  }

  /** The number of shards of which this node has a copy, without the one of the crown. */
  public int ownedShards() {
    return (int) placements().filter(shard -> shard.owners().contains(node.self())).count();
  }

  /** The number of shards of which this node is the primary, without the one of the crown. */
  public int primaryShards() {
    return (int) placements().filter(shard -> shard.owners().indexOf(node.self()) == 0).count();
  }

  private Stream<Topology.Placement> placements() {
    return node.topology().shards().stream().limit(node.shardMap().shards());
  }

  /**
   * The number of members of the cluster that this node reaches now, itself included. Members that
   * are gone and that nobody has given up do not count.
   */
  public int members() {
    return (int) node.view().members().stream().filter(GridView.Member::reachable).count();
  }

  /**
   * For how long the oldest transaction has been running that began at this node and has not ended,
   * Canopy's own among them. All nodes keep the versions that it may still read. Thread-safe.
   *
   * @return the duration as of the last look, ten times a second; 0 where no transaction is older
   */
  public Duration oldestTransaction() {
    return Duration.ofNanos(node.oldestTransactionNanos());
  }

  /** Whether this node founded its cluster, which was empty then, instead of joining one. */
  public boolean hasFounded() {
    return engine.hasFounded();
  }

  /**
   * Returns once a shard has answered a read and committed a write of this node.
   *
   * @param shard from 0 to {@link #shards()} - 1
   * @param timeout after which it counts as not serving
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT} or
   *     {@link ErrorCode#LOCK_TIMEOUT} where it does not serve
   */
  public void probe(int shard, Duration timeout) {
    if (shard < 0 || shard >= shards()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "shards are from 0 to " + (shards() - 1) + ": " + shard);
    }
    ShardProbe.run(node, shard, node.threads().nanoTime() + timeout.toNanos());
  }

  /**
   * Closes without waiting for copies of what this node has, for its turn, or for nodes that join:
   * data is lost where it is here only. A {@link #close} under way on another thread waits no
   * longer, either. Without it {@link #close} waits for up to {@link ClusterConfig#leaveTimeout},
   * and as long as copies still come, and throws {@link ErrorCode#LEFT_WITH_DATA} where it has left
   * with the last copy of data, or may have. The last node of a cluster closes at once in both
   * ways, and its data ends with it.
   */
  public void abandon() {
    engine.abandon();
    close();
  }

  /**
   * Whether copies of shards come to this node, or to others that take over what it had, or have
   * come within the last seconds: then a {@link #close} under way waits, also beyond {@link
   * ClusterConfig#leaveTimeout}. Thread-safe.
   */
  public boolean isHandingOver() {
    return node.isHandingOver();
  }

  /**
   * Leaves the cluster for good, and closes. A node that keeps its data in memory leaves in the
   * same way when it is {@linkplain #close closed}, but may not refuse. A node with a data
   * directory only stops when it is closed; here it hands over its shards to the others, and its
   * directory says that it has left. The others do not wait for it when they start again, and a
   * node that starts with the directory finds it empty. May block for {@link
   * ClusterConfig#leaveTimeout} and longer.
   *
   * @throws CanopyException {@link ErrorCode#LEAVE_REFUSED} where it holds the last copy of data
   *     after that time, or the others could not go on without it: it is a member as before. {@link
   *     ErrorCode#LEFT_WITH_DATA} where others were lost while they took over: it is closed, and
   *     its directory still counts. {@link ErrorCode#DISK_UNUSABLE} where it has left, and the
   *     directory could not be told so: empty it before a node starts with it
   */
  public void leave() {
    prepareToLeave(false);
    close();
  }

  /**
   * The first part of {@link #leave}: returns when the others can do without this node, which still
   * serves. The next {@link #close} leaves for good. Thread-safe.
   *
   * @param abandons whether to wait for nothing, also where another thread is waiting here: data is
   *     lost where it is here only
   * @throws CanopyException {@link ErrorCode#LEAVE_REFUSED}, unless it abandons
   */
  public void prepareToLeave(boolean abandons) {
    engine.prepareToLeaveForGood(abandons);
  }

  /**
   * Why this node has stopped by itself and for good. A {@link CanopyException} says what can be
   * done: with {@link ErrorCode#DISK_UNUSABLE} its disk has failed; with {@link
   * ErrorCode#GRID_CHANGED} or {@link ErrorCode#CONFIG_INVALID} it was cut off, and the others are
   * of another grid or have other settings since. With anything else the node was in a state that
   * must not be. Every transaction is refused then, and only a new node helps. Thread-safe.
   *
   * @return empty while it runs, after a {@link #close}, and while it becomes a member again
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(node.failure()).map(ClusterJoin::failure);
  }

  /**
   * Says how far the nodes are on their way to a new release. Waits for the answers of the others
   * for some seconds. Thread-safe.
   *
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}
   */
  public UpgradeState upgradeState() {
    return engine.upgrade().state();
  }

  /**
   * Raises the grid to the highest level that all of its nodes speak; nodes of older releases
   * cannot join from then on. Does nothing where the grid is at that level. May block for some
   * seconds. Thread-safe.
   *
   * @return the state after it
   * @throws CanopyException {@link ErrorCode#UPGRADE_REFUSED} where a node does not speak the level
   *     of the others, or has not said so; {@link ErrorCode#SHARD_UNAVAILABLE}, {@link
   *     ErrorCode#TIMEOUT}
   */
  public UpgradeState finalizeUpgrade() {
    return engine.upgrade().raise();
  }

  int numberOf(Index<?, ?> index) {
    if (opened(index) instanceof IndexRef own) {
      return own.number();
    }
    throw new IllegalStateException(index + " was not opened by this engine");
  }

  /** This node for a server: the same indexes, and transactions of others. */
  public ServedNode served() {
    return engine.served();
  }

  EmbeddedEngine engine() {
    return engine;
  }

  /** Changes the structure when it is asked to. */
  Reshaping reshaping() {
    return splitter.reshaping();
  }

  /** This node's part in the balance. */
  Balance balance() {
    return engine.balance();
  }

  /** Keeps this node's part of the ledger in order. */
  LedgerKeeper keeper() {
    return engine.keeper();
  }

  /** Takes indexes out of the catalog. */
  IndexDrops drops() {
    return engine.drops();
  }

  /** Takes away what is left of dropped indexes. */
  TimeMarks marks() {
    return engine.marks();
  }

  DropKeeper leftOfDrops() {
    return engine.leftOfDrops();
  }

  /** The number of subtrees that wait for a split at this node, or are being split. */
  int splitsUnderWay() {
    return splitter.underWay();
  }

  /** The number of splits at this node that ended by an unexpected error. */
  long failedSplits() {
    return splitter.failures();
  }
}
