package io.canopygrid.gmu.node;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.spi.ColdState;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.VersionId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of one node's protocol, one at a time, and carries out what they ask for.
 *
 * <p>A thread that brings an input (a caller, the thread that received a message, the timer) takes
 * the one {@linkplain ProtocolLock lock} for the microseconds that the step takes, releases it, and
 * then carries out the step's effects. So no input is handed from thread to thread, and nothing
 * that is carried out (a send, a listener) holds up the next step. Effects of two steps can
 * therefore be carried out in either order; the protocol does not care in which order messages
 * arrive.
 *
 * <p>The one thread of its own is a timer: lock waits that run out, and the tick. Thread-safe.
 */
final class ProtocolDriver {
  private static final Logger LOG = LoggerFactory.getLogger(ProtocolDriver.class);

  private static final long STORED_POLL_NANOS = 500_000;

  private final NodeId self;
  private final ProtocolLock lock = new ProtocolLock();

  /** Entered with the lock held, except for what any thread may ask it. */
  private final ProtocolNode protocol;

  private final long tickMillis;
  private final Transport transport;
  private final NodeHost host;
  private final ReadWaiters reads;
  private final CommitWaiters commits;
  private final GivenNumbers numbers;
  private final GrowthListeners growth;
  private final EffectCounters counters;
  private final Runnable afterTick;
  private final ScheduledThreadPoolExecutor timer;
  private final AtomicBoolean ticking = new AtomicBoolean();

  /** Null: the node has its data in memory only. */
  private final @Nullable Journal journal;

  /** Null: the node has its data in memory only. */
  private final @Nullable DiskWatch disk;

  /** Null: the node has its data in memory only. */
  private final @Nullable DiskPace pace;

  /** Null: the node has its data in memory only. */
  private final @Nullable ColdReads cold;

  /** The position up to which the disk tells values; of the timer. */
  private long readable;

  /** The topology installed last; written with the lock held. */
  private volatile @Nullable Topology topology;

  /** Nothing goes in any more; written with the lock held, never unset. */
  private volatile boolean ended;

  /** The cause for which this node stopped itself; written with the lock held, before its end. */
  private volatile @Nullable Throwable failure;

  /** The thread that ends it; written as {@link #failure}. */
  private volatile @Nullable Thread stopping;

  /** Done when its disk is closed and its shards are dropped. */
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  ProtocolDriver(
      NodeId self,
      ProtocolNode protocol,
      long tickMillis,
      Transport transport,
      NodeHost host,
      ReadWaiters reads,
      CommitWaiters commits,
      GivenNumbers numbers,
      GrowthListeners growth,
      EffectCounters counters,
      Runnable afterTick,
      @Nullable NodeStorage storage) {
    this.self = self;
    this.protocol = protocol;
    this.tickMillis = tickMillis;
    this.transport = transport;
    this.host = host;
    this.reads = reads;
    this.commits = commits;
    this.numbers = numbers;
    this.growth = growth;
    this.counters = counters;
    this.afterTick = afterTick;
    timer =
        new ScheduledThreadPoolExecutor(
            1, task -> MachineThreads.daemon(task, "canopy-timer-" + self));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // A wake-up that is asked for after the end is dropped.
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    journal =
        storage == null
            ? null
            : new Journal(
                self,
                storage,
                upTo -> run((node, now, effects) -> node.onStored(upTo, now, effects)),
                upTo -> step((node, now, effects) -> node.onForced(upTo, now, effects)),
                this::haltWithoutDisk);
    cold =
        storage == null
            ? null
            : new ColdReads(self, storage.storage(), told(), this::haltWithoutDisk);
    disk = storage == null ? null : new DiskWatch(self, storage.reserve());
    pace =
        storage == null || journal == null
            ? null
            : new DiskPace(
                self.toString(),
                journal,
                storage,
                () -> ended,
                this::diskWaits,
                this::haltWithoutDisk);
  }

  private ColdReads.Told told() {
    return new ColdReads.Told() {
      @Override
      public void loaded(Effect.Load load, Map<VersionId, byte[]> values) {
        step((node, now, effects) -> node.onLoaded(load, values, now, effects));
      }

      @Override
      public void opened(Effect.Open open, List<KeyVersions> versions, boolean last) {
        step((node, now, effects) -> node.onOpened(open, versions, last, now, effects));
      }
    };
  }

  /** Begins to write to the node's disk, if it has one. */
  void start() {
    if (journal != null) {
      journal.start();
    }
    watchDisk();
    if (pace != null) {
      pace.start();
    }
  }

  private void watchDisk() {
    if (disk != null && disk.look()) {
      step((node, now, effects) -> node.onDisk(disk.trouble(), now, effects));
    }
  }

  /** Writes nothing, as its thread would wait for the disk then. */
  private void diskWaits(long nanos) {
    if (disk != null && disk.waits(nanos)) {
      run((node, now, effects) -> node.onDisk(disk.trouble(), now, effects));
    }
  }

  /** For how long the oldest step has waited for the disk, in nanoseconds. */
  long unstoredNanos() {
    return pace == null ? 0 : pace.oldestNanos();
  }

  private void haltWithoutDisk(Throwable wrong) {
    if (wrong instanceof StorageException) {
      LOG.error("{} stops, as its disk cannot be used: {}", self, wrong.getMessage(), wrong);
      halt(wrong);
    } else {
      haltFor(wrong);
    }
  }

  /** The node's disk has its id from now on; see {@link Journal#sign}. */
  void signDisk() {
    if (journal != null) {
      journal.sign();
    }
  }

  /** The topology installed last; null: none yet. */
  @Nullable Topology topology() {
    return topology;
  }

  boolean isEnded() {
    return ended;
  }

  /** Installs a topology; does nothing where its id is not above the one installed last. */
  void install(Topology next) {
    signDisk(); // others know the node by its id from now on
    step((node, now, effects) -> {
      Topology current = topology;
      if (current == null || next.id() > current.id()) {
        Invariant.holds(
            current == null || next.shards().size() == current.shards().size(),
            "another number of shards: %s after %s",
            next,
            current);
        topology = next;
        node.onTopology(next, now, effects);
      }
    });
    startTicking();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a step ends in halt() where it goes wrong
  private void startTicking() {
    if (ticking.compareAndSet(false, true)) {
      timer.scheduleWithFixedDelay(this::tick, tickMillis, tickMillis, TimeUnit.MILLISECONDS);
    }
  }

  private void tick() {
    watchDisk();
    tellReadable();
    if (journal != null) {
      journal.rest();
    }
    step(ProtocolStep.TICK);
    enter(afterTick);
  }

  private void tellReadable() {
    if (journal != null) {
      if (protocol.memory().isOver()) {
        journal.hurry();
      }
      long upTo = journal.readable();
      if (upTo > readable) {
        readable = upTo;
        step((node, now, effects) -> node.onReadable(upTo, now, effects));
      }
    }
  }

  /** Reads what chunks of state have on the disk only. */
  ColdState coldState() {
    return cold == null
        ? ColdState.NONE
        : cold.chunks(id -> {
          Topology last = topology;
          return last != null && last.id() == id;
        });
  }

  /** Runs what is no step of the protocol; this node halts where an invariant is violated. */
  void enter(Runnable work) {
    try {
      work.run();
    } catch (InvariantViolation e) {
      haltFor(e);
    }
  }

  /** Asks the protocol something with the lock held. */
  <T> T ask(Function<ProtocolNode, T> question) {
    lock.enter();
    try {
      return question.apply(protocol);
    } finally {
      lock.leave();
    }
  }

  /** Runs one step of the protocol; false, and nothing done, once this node has ended. */
  boolean step(ProtocolStep input) {
    boolean isRun = run(input);
    if (journal != null) {
      journal.write();
    }
    return isRun;
  }

  /** As {@link HostedNode#promise}. */
  void promise(long founding) {
    signDisk();
    AtomicLong position = new AtomicLong();
    step((node, now, effects) -> {
      node.promise(founding, now, effects);
      effects.stream()
          .filter(Effect.Store.class::isInstance)
          .forEach(effect -> position.set(((Effect.Store) effect).position()));
    });
    Journal disk = Invariant.present(journal, "a promise without a disk");
    while (!ended && !disk.isStored(position.get())) {
      LockSupport.parkNanos(STORED_POLL_NANOS);
    }
    if (ended) {
      throw closed();
    }
  }

  private boolean run(ProtocolStep input) {
    List<Effect> effects = EffectLists.take();
    Throwable wrong = null;
    lock.enter();
    try {
      if (ended) {
        EffectLists.giveBack(effects);
        return false;
      }
      input.apply(protocol, System.nanoTime(), effects);
      if (journal != null) {
        journal.take(effects);
      }
    } catch (RuntimeException | Error e) {
      wrong = e;
    } finally {
      lock.leave();
    }
    if (wrong != null) {
      haltFor(wrong);
      return false;
    }
    // The step is done, and others may have heard of it: who waits for its outcome is told so.
    try {
      carryOut(effects);
    } catch (InvariantViolation e) {
      haltFor(e);
    }
    return true;
  }

  private void carryOut(List<Effect> effects) {
    counters.count(effects, topology);
    for (int i = 0; i < effects.size(); i++) {
      carryOut(effects.get(i));
    }
    EffectLists.giveBack(effects);
  }

  private void carryOut(Effect effect) {
    if (effect instanceof Effect.Send send) {
      transport.send(send.to(), send.message());
    } else if (effect instanceof Effect.Answer answer) {
      reads.complete(answer);
    } else if (effect instanceof Effect.Ended outcome) {
      commits.complete(outcome);
    } else if (effect instanceof Effect.Numbers told) {
      numbers.complete(told);
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
    } else if (effect instanceof Effect.Load load) {
      Invariant.present(cold, "cold values without a disk").load(load);
    } else if (effect instanceof Effect.Open open) {
      Invariant.present(cold, "a closed copy without a disk").open(open);
    } else if (effect instanceof Effect.Grew grew) {
      growth.tell(grew);
    } else {
      Invariant.holds(journal != null, "a node without a disk stores nothing");
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

  /**
   * Halts this node for something that must not be.
   *
   * @return what its callers are told from then on
   */
  NodeClosedException haltFor(Throwable wrong) {
    LOG.error("{} stops: its protocol is in a state that must not be", self, wrong);
    halt(wrong);
    return closed();
  }

  /** Stops at once, as if it had crashed; callers that wait for an answer hear of it. */
  void halt(Throwable cause) {
    if (isFirstEnd(cause)) {
      stop(false);
      host.failed(cause);
    }
  }

  /**
   * Ends without a failure: no step runs any more, and callers wait no longer. Where another thread
   * is about to end it, returns when that one has closed the disk.
   */
  void end() {
    if (isFirstEnd(null)) {
      stop(true);
    } else if (!Thread.currentThread().equals(stopping)) {
      stopped.join();
    }
  }

  private boolean isFirstEnd(@Nullable Throwable cause) {
    lock.enter();
    try {
      boolean first = !ended;
      Invariant.holds(!first || failure == null, "%s has failed and goes on", self);
      if (first) {
        failure = cause;
        stopping = Thread.currentThread();
      }
      ended = true;
      return first;
    } finally {
      lock.leave();
    }
  }

  /**
   * Drops the shards, since others may hold on to this node while it joins again as another.
   *
   * @param orderly whether all that has happened is to be on the node's disk
   */
  private void stop(boolean orderly) {
    if (pace != null) {
      pace.end();
    }
    if (cold != null) {
      cold.end();
    }
    if (journal != null) {
      Throwable wrong = journal.end(orderly);
      if (wrong != null && orderly) {
        LOG.error("{} has ended, and its disk does not have all that it did", self, wrong);
      }
    }
    lock.enter();
    try {
      protocol.forgetShards();
    } finally {
      lock.leave();
      stopped.complete(null);
    }
    timer.shutdownNow();
    reads.abandon();
    commits.abandon();
    numbers.abandon();
  }

  /** Why it was halted; null: it was not. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Says why nothing goes in any more. */
  NodeClosedException closed() {
    Throwable cause = failure;
    return cause == null
        ? new NodeClosedException("this node has left the grid", null)
        : new NodeClosedException("this node has stopped: " + cause.getMessage(), cause);
  }
}
