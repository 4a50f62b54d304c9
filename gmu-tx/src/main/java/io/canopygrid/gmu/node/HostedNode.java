package io.canopygrid.gmu.node;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.Begun;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.LocalRead;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the grid: drives a {@link ProtocolNode} with threads, a clock and a transport.
 *
 * <p>Whoever brings an input (a caller's thread, the thread that received a message, the timer)
 * takes the one lock, <em>the lane</em>, for the microseconds that the step takes, releases it, and
 * then carries out what the step asks for. So no input is handed from thread to thread, and nothing
 * that is carried out (a send, a listener) holds up the next step. Effects of two steps can
 * therefore be carried out in either order; the protocol does not care in which order messages
 * arrive. Reads that this node's own copies can answer do not enter the lane, nor does a
 * transaction that does nothing else as it begins and ends.
 *
 * <p>The one thread of its own is a timer: lock waits that run out, and the tick.
 */
public final class HostedNode implements GmuNode, TransactionSteps {
  private static final Logger LOG = LoggerFactory.getLogger(HostedNode.class);

  private final NodeId self;
  private final ShardMap shardMap;
  private final NodeSettings settings;
  private final Transport transport;
  private final NodeHost host;

  private final ProtocolLock lane = new ProtocolLock();

  /** Entered with the lane held, except for what any thread may ask it. */
  private final ProtocolNode protocol;

  /** The topology installed last; written with the lane held. */
  private volatile @Nullable Topology topology;

  /** Whether the shards can be asked in this partition. */
  private volatile boolean available = true;

  /** No new transaction begins. */
  private volatile boolean closing;

  /** Nothing goes in any more; written with the lane held. */
  private volatile boolean ended;

  /** Why this node stopped itself. */
  private volatile @Nullable Throwable failure;

  private final AtomicBoolean ticking = new AtomicBoolean();
  private final AtomicBoolean closeCalled = new AtomicBoolean();
  private final ReadWaiters reads = new ReadWaiters();
  private final ConcurrentHashMap<Long, Waiter<Effect.Ended>> commits = new ConcurrentHashMap<>();
  private final GrowthListeners growth = new GrowthListeners();
  private final EffectCounters tally = new EffectCounters();
  private final ScheduledThreadPoolExecutor timer;
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
    this.self = self;
    this.shardMap = shardMap;
    this.settings = settings;
    this.transport = transport;
    this.host = host;
    protocol = new ProtocolNode(self, shardMap.shards(), settings.protocol(), stores, fences);
    timer =
        new ScheduledThreadPoolExecutor(
            1, task -> MachineThreads.daemon(task, "canopy-timer-" + self));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // What would be woken after the end is not woken.
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Installs a topology; does nothing where its id is not above the one installed last. */
  public void install(Topology next) {
    step((node, now, effects) -> {
      Topology current = topology;
      if (current == null || next.id() > current.id()) {
        topology = next;
        node.onTopology(next, now, effects);
      }
    });
    startTicking();
  }

  /** Takes in a message of another member. Does not block, and throws nothing. */
  public void deliver(NodeId source, Message message) {
    if (message instanceof Message.InTopology bound) {
      Topology current = topology;
      if (current != null && bound.topology() > current.id()) {
        host.ahead(bound.topology());
      }
    }
    step((node, now, effects) -> node.onMessage(source, message, now, effects));
  }

  /**
   * Says whether the shards can be asked in this partition. Where they cannot, reads are answered
   * {@link ReadAnswer.Unavailable} and commits {@link Outcome.AbortReason#SHARD_UNAVAILABLE} at
   * once, also those that this node could serve: a cut-off node must not show the past. Whoever
   * waits for an answer at that moment waits no longer.
   */
  public void setAvailable(boolean available) {
    this.available = available;
    if (!available) {
      reads.abandon();
      commits.values().forEach(Waiter::abandon);
    }
  }

  /** Stops at once, as if it had crashed; those who wait for an answer hear of it. */
  public void halt(Throwable cause) {
    boolean first;
    lane.enter();
    try {
      first = !ended;
      if (first) {
        failure = cause;
      }
      ended = true;
      closing = true;
    } finally {
      lane.leave();
    }
    if (first) {
      stop();
      host.failed(cause);
    }
  }

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public Topology topology() {
    Topology current = topology;
    if (current == null) {
      throw new IllegalStateException("the node has no topology yet");
    }
    return current;
  }

  @Override
  public ShardMap shardMap() {
    return shardMap;
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    return opened(protocol.begin(token), ShardSet.EMPTY, deadlineNanos);
  }

  @Override
  public GmuTransaction beginAt(VectorClock pinned, long deadlineNanos) {
    return opened(protocol.beginAt(pinned), shardMap.all(), deadlineNanos);
  }

  /** Who closes this node looks for what has begun after it has said so: one of the two sees it. */
  private GmuTransaction opened(Begun begun, ShardSet hasRead, long deadlineNanos) {
    if (closing) {
      protocol.tryEnd(begun.transaction());
      throw closed();
    }
    return new BlockingTransaction(this, begun, hasRead, deadlineNanos);
  }

  @Override
  public OrderedView<VersionChain> top() {
    return protocol.view(shardMap.top());
  }

  @Override
  public KclSize size(long kcl) {
    return protocol.size(kcl);
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
  public long oldestTransactionNanos() {
    return protocol.oldestNanos();
  }

  @Override
  public GmuCounters counters() {
    return tally.snapshot();
  }

  @Override
  public void close() {
    if (!closeCalled.compareAndSet(false, true)) {
      return;
    }
    closing = true;
    if (!ended) {
      drain();
    }
    host.leave();
    lane.enter();
    try {
      ended = true;
    } finally {
      lane.leave();
    }
    stop();
  }

  /** Without the lane. */
  @Override
  public @Nullable LocalRead tryRead(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    if (ended) {
      throw closed();
    }
    if (!available) {
      return unavailable(query, clock);
    }
    return protocol.tryRead(topology().id(), query, clock, hasRead);
  }

  /** Without the lane. Called after tryRead only, which looks whether this node may answer. */
  @Override
  public @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return protocol.tryReadNearest(query, clock, hasRead);
  }

  @Override
  public Asked ask(
      long transaction,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead,
      long deadlineNanos) {
    ReadWaiters.Batch batch = reads.open(queries.size(), () -> unanswered(queries, clock));
    ProtocolStep read =
        (node, now, effects) ->
            node.read(transaction, batch.first(), queries, alone, clock, hasRead, now, effects);
    boolean asked =
        alone ? transport.exchange(() -> step(read), batch::isDone, deadlineNanos) : step(read);
    if (!asked) {
      batch.abandon();
    }
    return batch;
  }

  /** Why there are no answers; null: they have not come in time. */
  private @Nullable List<LocalRead> unanswered(List<ReadQuery> queries, VectorClock clock) {
    if (ended) {
      throw closed();
    }
    return available ? null : queries.stream().map(query -> unavailable(query, clock)).toList();
  }

  private LocalRead unavailable(ReadQuery query, VectorClock clock) {
    int shard = shardMap.shardOf(query.kcl());
    return new LocalRead(shard, clock, new ReadAnswer.Unavailable(shard));
  }

  @Override
  public boolean agrees(LocalRead read, VectorClock clock, ShardSet hasRead) {
    return protocol.agrees(read, clock, hasRead);
  }

  @Override
  public Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos)
      throws InterruptedException {
    if (!available) {
      end(transaction);
      return Outcome.Aborted.UNAVAILABLE;
    }
    Waiter<Effect.Ended> waiter = new Waiter<>();
    commits.put(transaction, waiter);
    try {
      ProtocolStep commit =
          (node, now, effects) -> node.commit(transaction, clock, footprint, label, now, effects);
      boolean asked = transport.exchange(() -> step(commit), waiter::isDone, deadlineNanos);
      if (!asked) {
        throw closed();
      }
      Effect.Ended outcome = waiter.await(deadlineNanos);
      if (outcome == null) {
        step((node, now, effects) -> node.giveUp(transaction, now, effects));
        outcome = waiter.await(System.nanoTime());
      }
      return outcome == null ? new Outcome.Unknown() : outcome.outcome();
    } finally {
      commits.remove(transaction);
    }
  }

  @Override
  public void end(long transaction) {
    if (!protocol.tryEnd(transaction)) {
      step((node, now, effects) -> node.end(transaction, now, effects));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a step ends in halt() where it goes wrong
  private void startTicking() {
    if (ticking.compareAndSet(false, true)) {
      long every = settings.tickMillis();
      timer.scheduleWithFixedDelay(this::tick, every, every, TimeUnit.MILLISECONDS);
    }
  }

  private void tick() {
    step(ProtocolStep.TICK);
    Waiter<Boolean> waiting = drain;
    if (waiting != null && isDrained()) {
      waiting.complete(true);
    }
  }

  /** Whether nothing that began here is under way, and no departure is being dealt with. */
  private boolean isDrained() {
    lane.enter();
    try {
      ProtocolStatus status = protocol.status();
      boolean settled = topology == null || status.flushDone();
      return ended || (settled && status.transactions() == 0 && status.attempts() == 0);
    } finally {
      lane.leave();
    }
  }

  /** Whether every member has installed this node's topology and settled what was open before. */
  public boolean isSettled() {
    lane.enter();
    try {
      return protocol.status().flushDone();
    } finally {
      lane.leave();
    }
  }

  @Override
  public boolean isReady() {
    lane.enter();
    try {
      boolean member = topology != null && topology.members().contains(self);
      return member && available && !closing && protocol.status().isServing();
    } finally {
      lane.leave();
    }
  }

  /** Waits a while until leaving leaves nothing for others to find out. */
  private void drain() {
    if (isDrained()) {
      return;
    }
    Waiter<Boolean> waiter = new Waiter<>();
    drain = waiter;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.drainMillis());
    try {
      if (waiter.await(deadline) == null) {
        LOG.debug("{} leaves with transactions under way", self);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      drain = null;
    }
  }

  /** One step of the protocol; false, and nothing done, once this node has ended. */
  private boolean step(ProtocolStep input) {
    List<Effect> effects = EffectLists.take();
    Throwable wrong = null;
    lane.enter();
    try {
      if (ended) {
        EffectLists.giveBack(effects);
        return false;
      }
      input.apply(protocol, System.nanoTime(), effects);
    } catch (RuntimeException | Error e) {
      wrong = e;
    } finally {
      lane.leave();
    }
    if (wrong != null) {
      LOG.error("{} stops: its protocol is in a state that must not be", self, wrong);
      halt(wrong);
      return false;
    }
    tally.count(effects, topology);
    for (int i = 0; i < effects.size(); i++) {
      carryOut(effects.get(i));
    }
    EffectLists.giveBack(effects);
    return true;
  }

  private void carryOut(Effect effect) {
    if (effect instanceof Effect.Send send) {
      transport.send(send.to(), send.message());
    } else if (effect instanceof Effect.Answer answer) {
      reads.complete(answer);
    } else if (effect instanceof Effect.Ended outcome) {
      Waiter<Effect.Ended> waiter = commits.get(outcome.transaction());
      if (waiter != null) {
        waiter.complete(outcome);
      }
    } else if (effect instanceof Effect.WakeAt wake) {
      wakeAt(wake);
    } else if (effect instanceof Effect.Synced synced) {
      host.synced(synced.topology(), synced.shard());
    } else if (effect instanceof Effect.NumbersRunOut half) {
      LOG.warn(
          "shard {} has given half of its commit numbers in topology {}; any change of members, or"
              + " of the owners of a segment, renews them",
          half.shard(),
          half.topology());
    } else if (effect instanceof Effect.Grew grew) {
      growth.tell(grew);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // see startTicking
  private void wakeAt(Effect.WakeAt wake) {
    if (!ended) {
      timer.schedule(
          (Runnable) () -> step((node, now, fx) -> node.onTimer(wake.timer(), now, fx)),
          wake.nanos() - System.nanoTime(),
          TimeUnit.NANOSECONDS);
    }
  }

  /** Others may hold on to this node for long, while it joins again and gets its copies anew. */
  private void stop() {
    lane.enter();
    try {
      protocol.forgetShards();
    } finally {
      lane.leave();
    }
    timer.shutdownNow();
    reads.abandon();
    commits.values().forEach(Waiter::abandon);
  }

  private NodeClosedException closed() {
    Throwable cause = failure;
    return cause == null
        ? new NodeClosedException("this node has left the grid", null)
        : new NodeClosedException("this node has stopped: " + cause.getMessage(), cause);
  }
}
