package io.canopygrid.gmu.node;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.Begun;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.protocol.copy.EntryRoom;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.ColdState;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.store.VersionChain;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the grid as its host runs it: topologies and messages go in here, transactions begin
 * here, and it closes in order. {@link ProtocolDriver} runs the protocol, {@link
 * HostedTransactions} serves the transactions. Thread-safe.
 */
public final class HostedNode implements GmuNode {
  private static final Logger LOG = LoggerFactory.getLogger(HostedNode.class);

  private final NodeId self;
  private final ShardMap shardMap;
  private final NodeSettings settings;
  private final Transport transport;
  private final NodeHost host;
  private final GridLevel level;

  /** Used here for what any thread may ask it; all else goes through the driver. */
  private final ProtocolNode protocol;

  private final GrowthListeners growth = new GrowthListeners();
  private final EffectCounters counters = new EffectCounters();
  private final ProtocolDriver driver;
  private final HostedTransactions transactions;
  private final ClockCheck clocks;

  /** No new transaction begins. */
  private volatile boolean closing;

  private final AtomicBoolean closeCalled = new AtomicBoolean();
  private volatile @Nullable Waiter<Boolean> drain;

  /** A node that does nothing but answer messages until {@link #install} gives it a topology. */
  public HostedNode(
      NodeId self,
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores,
      Fences fences,
      Transport transport,
      NodeHost host) {
    this(self, shardMap, settings, stores, fences, transport, host, null);
  }

  /** The same, with a disk; {@code storage} is null where it has its data in memory only. */
  public HostedNode(
      NodeId self,
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores,
      Fences fences,
      Transport transport,
      NodeHost host,
      @Nullable NodeStorage storage) {
    this.self = self;
    this.shardMap = shardMap;
    this.settings = settings;
    this.transport = transport;
    this.host = host;
    this.level = host.level();
    ReadWaiters reads = new ReadWaiters();
    CommitWaiters commits = new CommitWaiters();
    GivenNumbers numbers = new GivenNumbers(shardMap.top());
    protocol =
        storage == null
            ? new ProtocolNode(self, shardMap.shards(), settings.protocol(), stores, fences)
            : ProtocolNode.stored(
                self,
                shardMap.shards(),
                settings.protocol(),
                stores,
                fences,
                !storage.forcesEach());
    driver =
        new ProtocolDriver(
            self,
            protocol,
            settings.tickMillis(),
            transport,
            host,
            reads,
            commits,
            numbers,
            growth,
            counters,
            this::onTick,
            storage);
    transactions =
        new HostedTransactions(
            shardMap, protocol, driver, transport, reads, commits, numbers, level);
    clocks =
        new ClockCheck(
            protocol,
            driver,
            transport,
            numbers,
            shardMap.top(),
            this::mayBegin,
            transactions::isAvailable);
    driver.start();
  }

  // ---- for the host

  /**
   * As {@link ProtocolNode#founds}.
   *
   * @return the number of commits that are cut from the copies of this disk
   * @throws io.canopygrid.gmu.storage.StorageException the disk fails
   */
  public long founds(GridFounding founding, Recovered recovered) {
    driver.signDisk();
    return driver.ask(node -> node.founds(founding, recovered));
  }

  /**
   * As {@link ProtocolNode#joins}.
   *
   * @throws io.canopygrid.gmu.storage.StorageException the disk fails
   */
  public void joins(Recovered recovered) {
    driver.signDisk();
    driver.ask(node -> {
      node.joins(recovered);
      return node;
    });
  }

  /**
   * Returns when the disk has, forced, that this node takes part in no founding with a lower id.
   *
   * @throws io.canopygrid.gmu.storage.StorageException the disk fails
   * @throws NodeClosedException the node has ended, and may have stored it or not
   */
  public void promise(long founding) {
    driver.promise(founding);
  }

  /** Whether a topology may be installed; see {@link ProtocolNode#mayInstall}. */
  public boolean mayInstall(Topology next) {
    return driver.ask(node -> node.mayInstall(next));
  }

  /** Installs a topology; does nothing where its id is not above the one installed last. */
  public void install(Topology next) {
    driver.install(next);
  }

  /**
   * Runs what a host does for this node, on whichever of its threads: messages, views, topologies,
   * timers, the ends of waits. A violated invariant halts the node, and nothing is thrown.
   */
  public void enter(Runnable work) {
    driver.enter(work);
  }

  /**
   * As {@link #enter(Runnable)}, for work with a result.
   *
   * @param halted gives the result where the node was halted
   */
  public <T extends @Nullable Object> T enter(Supplier<T> work, Supplier<T> halted) {
    try {
      return work.get();
    } catch (InvariantViolation e) {
      driver.haltFor(e);
      return halted.get();
    }
  }

  /** Answers a caller, who is told that the node has stopped where the question halts it. */
  private <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (InvariantViolation e) {
      throw driver.haltFor(e);
    }
  }

  /** Takes in a message of another member. Does not block, and throws nothing. */
  public void deliver(NodeId source, Message message) {
    try {
      if (message instanceof Message.InTopology bound) {
        Topology current = driver.topology();
        if (current != null && bound.topology() > current.id()) {
          host.ahead(bound.topology());
        }
      }
      driver.step((node, now, effects) -> node.onMessage(source, message, now, effects));
    } catch (InvariantViolation e) {
      driver.haltFor(e);
    }
  }

  /**
   * Says whether the shards can be asked in this partition. Where they cannot, all reads are
   * answered {@link ReadAnswer.Unavailable} and commits {@link
   * Outcome.AbortReason#SHARD_UNAVAILABLE} at once: a cut-off node must not show the past.
   */
  public void setAvailable(boolean available) {
    transactions.setAvailable(available);
  }

  /** Stops at once, as if it had crashed; callers that wait for an answer hear of it. */
  public void halt(Throwable cause) {
    driver.halt(cause);
  }

  /** Whether every member has installed this node's topology and settled what was open before. */
  public boolean isSettled() {
    return enter(() -> driver.ask(node -> node.status().flushDone()), () -> false);
  }

  // ---- for the layers above

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public GridLevel level() {
    return level;
  }

  @Override
  public Topology topology() {
    Topology current = driver.topology();
    if (current == null) {
      throw new IllegalStateException("the node has no topology yet");
    }
    return current;
  }

  @Override
  public GridView view() {
    return host.view(topology());
  }

  @Override
  public ShardMap shardMap() {
    return shardMap;
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    return opened(token, () -> protocol.begin(token), ShardSet.EMPTY, deadlineNanos);
  }

  @Override
  public void requireKept(VectorClock clock) {
    clocks.requireKept(clock);
  }

  @Override
  public boolean beginsAtHand(VectorClock token) {
    return clocks.knows(token);
  }

  @Override
  public GmuTransaction beginAt(VectorClock clock, boolean isPinned, long deadlineNanos) {
    return opened(clock, () -> protocol.beginAt(clock, isPinned), shardMap.all(), deadlineNanos);
  }

  private boolean mayBegin() {
    return !closing && !driver.isEnded();
  }

  /**
   * Checks after the begin whether the node closes. The closing thread says so before it looks for
   * transactions that have begun: one of the two sees the other.
   */
  private GmuTransaction opened(
      VectorClock after, Supplier<Begun> begin, ShardSet hasRead, long deadlineNanos) {
    try {
      clocks.require(after, deadlineNanos);
      Begun begun = begin.get();
      if (closing || driver.isEnded()) {
        protocol.tryEnd(begun.transaction());
        throw driver.closed();
      }
      return new BlockingTransaction(transactions, begun, hasRead, deadlineNanos);
    } catch (InvariantViolation e) {
      throw driver.haltFor(e);
    }
  }

  @Override
  public OrderedView<VersionChain> top() {
    return asked(() -> protocol.view(shardMap.top()));
  }

  @Override
  public ChangeAnswer changes(ChangeQuery query, ChangeFilter filter) {
    return asked(() -> protocol.changes(query, filter));
  }

  @Override
  public KclSize size(long kcl) {
    return asked(() -> protocol.size(kcl));
  }

  @Override
  public void tellTraffic(Traffic listener) {
    protocol.tellTraffic(listener);
  }

  @Override
  public NodeCalls calls() {
    return transport.calls();
  }

  @Override
  public void onGrowth(GrowthListener listener) {
    growth.add(listener);
  }

  @Override
  public int cuts() {
    return protocol.cuts();
  }

  @Override
  public long oldestTransactionNanos() {
    return protocol.holds().oldestNanos();
  }

  /** Reads what chunks of state have on this node's disk only. */
  public ColdState coldState() {
    return driver.coldState();
  }

  /** A part of a shard's state has come; any thread. */
  public void fetched(Message.State chunk, int bytes) {
    counters.fetched(chunk, bytes);
  }

  @Override
  public MemoryFigures entryMemory() {
    EntryRoom room = protocol.memory();
    long bytesMax = room.isLimited() ? room.bytesMax() : 0;
    return new MemoryFigures(room.bytes(), bytesMax, protocol.closedCopies());
  }

  @Override
  public boolean isHandingOver() {
    return host.isHandingOver();
  }

  @Override
  public HeldVersions heldVersions() {
    return asked(transactions::heldVersions);
  }

  @Override
  public HotFigures hotEntries() {
    return asked(transactions::hotEntries);
  }

  @Override
  public long unstoredNanos() {
    return driver.unstoredNanos();
  }

  @Override
  public GmuCounters counters() {
    return counters.snapshot();
  }

  @Override
  public boolean isReady() {
    return enter(() -> driver.ask(this::isReady), () -> false);
  }

  private boolean isReady(ProtocolNode node) {
    Topology current = driver.topology();
    boolean member = current != null && current.members().contains(self);
    boolean open = !closing && !driver.isEnded();
    return member && transactions.isAvailable() && open && node.status().isServing();
  }

  /** Null also after an expulsion, where the host makes this node a member again. */
  @Override
  public @Nullable Throwable failure() {
    Throwable cause = driver.failure();
    return cause instanceof ExpelledException expelled && expelled.rejoins() ? null : cause;
  }

  // ---- closing

  @Override
  public void prepareToLeave() {
    if (!driver.isEnded()) {
      enter(host::prepareToLeave);
    }
  }

  @Override
  public void prepareToLeaveForGood() {
    if (driver.isEnded()) {
      throw driver.closed();
    }
    enter(host::prepareToLeaveForGood);
  }

  @Override
  public void abandon() {
    host.abandon();
  }

  @Override
  public void close() {
    if (!closeCalled.compareAndSet(false, true)) {
      return;
    }
    prepareToLeave();
    closing = true;
    if (!driver.isEnded()) {
      enter(this::drain);
    }
    try {
      host.leave();
    } finally {
      driver.end();
    }
  }

  /** Waits a while until leaving leaves nothing for others to find out. */
  private void drain() {
    if (isDrained()) {
      return;
    }
    Waiter<Boolean> waiter = new Waiter<>();
    drain = waiter;
    try {
      if (waiter.await(System.nanoTime() + settings.drainNanos()) == null) {
        LOG.debug("{} leaves with transactions under way", self);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      drain = null;
    }
  }

  private void onTick() {
    transactions.onTick();
    Waiter<Boolean> waiting = drain;
    if (waiting != null && isDrained()) {
      waiting.complete(true);
    }
  }

  /** Whether nothing that began here is under way, and no departure is being dealt with. */
  private boolean isDrained() {
    return driver.ask(node -> {
      ProtocolStatus status = node.status();
      boolean idle = status.transactions() == 0 && status.attempts() == 0;
      return driver.isEnded() || (idle && (driver.topology() == null || status.flushDone()));
    });
  }
}
