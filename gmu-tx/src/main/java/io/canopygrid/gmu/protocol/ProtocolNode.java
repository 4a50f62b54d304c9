package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.protocol.Outbox.Envelope;
import io.canopygrid.gmu.protocol.copy.EntryRoom;
import io.canopygrid.gmu.protocol.garbage.Decisions;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import io.canopygrid.gmu.protocol.hot.HotStreams;
import io.canopygrid.gmu.protocol.membership.FlushRound;
import io.canopygrid.gmu.protocol.membership.Placements;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.protocol.read.ReadContext;
import io.canopygrid.gmu.protocol.read.TrafficTap;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StepChanges;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One node's side of the protocol, without threads, clocks or I/O: each input appends to a list of
 * {@link Effect}s what the host must do next. The host calls it under the protocol lock, one call
 * at a time; only the methods under "on any thread" can be called at any time.
 *
 * <p>This class takes the inputs; the steps are in {@link LocalTransactions} (begin, read), {@link
 * Coordinator} (prepare, decide), {@link Participant} (one shard's owner: votes, order,
 * application, reads) and {@link TopologyChanges}; {@link MessageDispatch} says which role handles
 * which message.
 *
 * <p>Assumed of the host: messages between live members arrive, in any order and perhaps more than
 * once; topologies are installed in the order of their ids, of which some may be missing ({@link
 * Placements}); a node becomes an owner of a shard that others have only after its {@link
 * Effect.Synced}.
 */
public final class ProtocolNode {
  private final ShardMap shards;
  private final NodeState state;
  private final Outbox outbox;
  private final Roles roles;
  private final TopologyChanges topologies;
  private final MessageDispatch messages;

  /**
   * @param shards how many there are besides TOP
   * @param stores makes the store of each shard's version chains
   */
  public ProtocolNode(
      NodeId self, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    this(self, shards, config, stores, fences, new StepChanges(false, false));
  }

  /**
   * A node that stores what it has, and asks for it by {@link Effect.Store}. It begins without
   * anything: what its disk has is of use only where {@link #founds} says so.
   *
   * @param forcedLater whether {@link #onStored} is told before the disk is forced; then {@link
   *     #onForced} has to be told, too
   */
  public static ProtocolNode stored(
      NodeId self,
      int shards,
      ProtocolConfig config,
      OrderedStore.Factory stores,
      Fences fences,
      boolean forcedLater) {
    return new ProtocolNode(
        self, shards, config, stores, fences, new StepChanges(true, forcedLater));
  }

  private ProtocolNode(
      NodeId self,
      int shards,
      ProtocolConfig config,
      OrderedStore.Factory stores,
      Fences fences,
      StepChanges changes) {
    this.shards = new ShardMap(shards);
    this.outbox = new Outbox(self, changes);
    this.state =
        new NodeState(
            self,
            config,
            outbox,
            new Placements(self, this.shards.top() + 1),
            new Decisions(changes),
            new FlushRound(),
            new HorizonTracker(),
            stores,
            new ReadContext(
                config.scanEntriesMax(), config.scanBytesMax(), fences, new TrafficTap()),
            new HotStreams(config.hot(), key -> this.shards.shardOf(key.kcl())),
            new EntryRoom(
                changes.isKept() ? config.entryBytesMax() : Long.MAX_VALUE, config.coldBytesMin()));
    this.roles = new Roles(state, this.shards);
    this.topologies = new TopologyChanges(state, roles);
    this.messages = new MessageDispatch(state, roles, topologies);
  }

  // ---- inputs

  /**
   * This node is one of those who found the grid from disks: it begins with what its disk has. To
   * be said before the founding topology is installed; where nothing is said, a grid begins empty.
   * A founding with a cut takes it from the disk with that topology.
   *
   * @param recovered what the node's disk has; copies may be closed where there is no cut
   * @return the number of commits that are cut from the copies of this disk
   */
  public long founds(GridFounding founding, Recovered recovered) {
    Recovered kept = topologies.founds(founding.cut(), recovered);
    state.placements().beginsWith(founding.topology(), founding.over());
    state.restore(kept, founding.seen());
    roles.replicas.restore(kept);
    outbox.changes().take(); // it is stored
    return topologies.cutOff();
  }

  /**
   * This node joins a grid that serves: what its disk has is out of date, its decisions too, and is
   * dropped with the first topology that this node installs. To be said before that.
   *
   * @param recovered what the node's disk has, no copy closed
   */
  public void joins(Recovered recovered) {
    topologies.joins(recovered);
  }

  /** This node takes part in no founding with a lower id than this from when that is stored. */
  public void promise(long founding, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> outbox.changes().add(new StorageChange.PutPromise(founding)));
  }

  /** False: too few members are left, and this node has to found the grid anew from disks. */
  public boolean mayInstall(Topology next) {
    return topologies.mayInstall(next);
  }

  /**
   * A topology was installed; its id is above all before. A topology that does not name this node
   * as a member ends it: open reads and commits are answered as well as can be, and from then on
   * nothing happens here.
   */
  public void onTopology(Topology topology, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> topologies.install(topology));
  }

  public void onMessage(NodeId source, Message message, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> messages.dispatch(new Envelope(source, message)));
  }

  /** All changes up to this position, and those before, are stored ({@link Effect.Store}). */
  public void onStored(long position, long nowNanos, List<Effect> effects) {
    run(nowNanos, effects, () -> outbox.onStored(position));
  }

  /** All changes up to this position, and those before, are forced to the disk. */
  public void onForced(long position, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> outbox.onForced(position));
  }

  /** The disk tells the values of all that was put up to this position. */
  public void onReadable(long position, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> outbox.onReadable(position));
  }

  /** The disk has told what an {@link Effect.Load} has asked for; what it has not is left out. */
  public void onLoaded(
      Effect.Load load, Map<VersionId, byte[]> values, long nowNanos, List<Effect> effects) {
    int shard = load.versions().get(0).shard();
    step(nowNanos, effects, () -> roles.replicas.onLoaded(load.number(), shard, values));
  }

  /** The disk has told versions of a copy, asked for by {@link Effect.Open}, or the last ones. */
  public void onOpened(
      Effect.Open asked,
      List<KeyVersions> versions,
      boolean last,
      long nowNanos,
      List<Effect> effects) {
    step(nowNanos, effects, () -> roles.replicas.onOpened(asked, versions, last));
  }

  public void onTimer(Effect.Timer timer, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> roles.onTimer(timer));
  }

  /**
   * This node's disk is in trouble, or is not any more.
   *
   * @param trouble null: there is none
   */
  public void onDisk(@Nullable DiskTrouble trouble, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> state.disks().heard(state.self(), trouble));
  }

  /** At times: send the mark and the horizon report. */
  public void onTick(long nowNanos, List<Effect> effects) {
    step(
        nowNanos,
        effects,
        () -> {
          roles.tick();
          topologies.flushAgain();
        });
  }

  /**
   * Reads for a local transaction, at the same time; each answer is an {@link Effect.Answer}. A
   * transaction that has ended is answered {@link ReadAnswer.Unavailable}.
   *
   * @param request the first read's number, the others have the following ones; all never used yet
   * @param alone whether it waits for this one read, from whose answer it goes on
   */
  public void read(
      long transaction,
      long request,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead,
      long nowNanos,
      List<Effect> effects) {
    if (topologies.isHalted()) {
      roles.transactions.refuse(request, queries, clock, effects);
    } else {
      Runnable read =
          () -> roles.transactions.read(transaction, request, queries, alone, clock, hasRead);
      step(nowNanos, effects, read);
    }
  }

  /** Lets this one hear how the next commit of a transaction goes on. */
  public void watch(long transaction, CommitProgress progress) {
    roles.coordinator.watch(transaction, progress);
  }

  /**
   * Commits; the outcome is an {@link Effect.Ended}. May be called again after MOVED,
   * TOPOLOGY_CHANGED and LOCK_TIMEOUT; any other outcome ends the transaction. An ended one is
   * aborted: {@link Outcome.AbortReason#SHARD_UNAVAILABLE SHARD_UNAVAILABLE} or TOO_OLD.
   */
  public void commit(
      long transaction,
      VectorClock clock,
      Footprint footprint,
      String label,
      long nowNanos,
      List<Effect> effects) {
    if (topologies.isHalted()) {
      roles.transactions.tryEnd(transaction);
      effects.add(new Effect.Ended(transaction, Outcome.Aborted.UNAVAILABLE));
      return;
    }
    step(nowNanos, effects, () -> roles.coordinator.commit(transaction, clock, footprint, label));
  }

  /**
   * The caller waits for its commit no longer. Where it is not decided yet it is aborted, with an
   * {@link Effect.Ended} at once; else there is none now, and whether it commits is not known.
   */
  public void giveUp(long transaction, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> roles.coordinator.giveUp(transaction));
  }

  /** Forgets a transaction that is not being committed, and that {@link #tryEnd} has left alone. */
  public void end(long transaction, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> roles.coordinator.end(transaction));
  }

  /**
   * Asks the shards' primaries, or all owners, whether they have given the numbers of a clock from
   * outside; the answers, one of each node, are {@link Effect.Numbers}.
   *
   * @param request the number of the question, never used yet
   */
  public void askNumbers(
      long request, VectorClock clock, boolean allOwners, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> roles.clocks.ask(request, clock, allOwners));
  }

  // ---- on any thread

  /**
   * Begins a transaction at the maximum of the token and the floor: its handle and clock. On a
   * member that is not {@link #isReady} its reads may be answered {@link ReadAnswer.TooOld}.
   */
  public Begun begin(VectorClock token) {
    return roles.transactions.begin(token);
  }

  /**
   * Whether a clock that a caller brings names shards that exist and epochs that have begun
   * (protocol.md, Clocks from outside). To be asked before a transaction begins with it.
   *
   * @param topology the one installed here; 0: none
   */
  public boolean canBeOurs(VectorClock clock, long topology) {
    return roles.clocks.canBeOurs(clock, topology, shards.top());
  }

  /**
   * The part of such a clock of which this node does not know whether the shards have given its
   * numbers: {@link #askNumbers} finds out.
   *
   * @param given numbers that the host knows to be given
   */
  public VectorClock unknown(VectorClock clock, long topology, VectorClock given) {
    return roles.clocks.unknown(clock, topology, given);
  }

  /**
   * The last cut after a power cut that may have taken commits which a clock has seen; null: there
   * is none. To be asked before a transaction begins with a clock from outside (protocol.md, Cuts).
   */
  public @Nullable Cut lostBy(VectorClock clock) {
    return state.cuts().lostBy(clock, state.config()::epochStart);
  }

  /** The number of cuts that this grid has made after power cuts; all members know all of them. */
  public int cuts() {
    return state.cuts().all().size();
  }

  /** The number right below the first one of the epoch of a topology. */
  public long epochStart(long topology) {
    return state.config().epochStart(topology);
  }

  /** Whether a transaction was ended here for its age: to be asked before a read at hand. */
  public boolean isOld(long transaction) {
    return roles.transactions.isOld(transaction);
  }

  /** The things that hold the horizon here; its methods say where each may be called. */
  public HorizonHolds holds() {
    return new HorizonHolds(state, roles);
  }

  /**
   * Begins a transaction at a clock, which it does not leave: its reads have all shards as read,
   * and are answered {@link ReadAnswer.TooOld} if nothing holds the horizon at that clock.
   */
  public Begun beginAt(VectorClock clock, boolean isPinned) {
    return roles.transactions.beginAt(clock, isPinned);
  }

  /**
   * Forgets a transaction that has asked nothing under the protocol lock; else false, and nothing
   * is done: {@link #end} must end it.
   */
  public boolean tryEnd(long transaction) {
    return roles.transactions.tryEnd(transaction);
  }

  /**
   * Reads at this node's own primary: null where {@link #read} must be asked (not the serving
   * primary in this topology, or a commit, or the disk, must be awaited).
   */
  public @Nullable LocalRead tryRead(
      long topology, ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return roles.readsAtHand.tryRead(topology, query, clock, hasRead);
  }

  /** Reads at this node's own copy, or a hot one: null where the primary must be asked. */
  public @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return roles.readsAtHand.tryReadNearest(query, clock, hasRead);
  }

  /** This node's copy of a shard, with whatever gaps it has, and perhaps an older one. */
  public OrderedView<VersionChain> view(int shard) {
    return roles.readsAtHand.view(shard);
  }

  /** As {@link io.canopygrid.gmu.node.GmuNode#changes}. */
  public ChangeAnswer changes(ChangeQuery query, ChangeFilter filter) {
    return roles.readsAtHand.changes(query, filter);
  }

  /** The size of this node's copy of a kcl. */
  public KclSize size(long kcl) {
    return roles.readsAtHand.size(kcl);
  }

  /** Whether all nodes know clocks that name a part only; yes until it is said otherwise. */
  public void allowNarrowClocks(BooleanSupplier all) {
    state.clocks().allow(all);
  }

  /** The hot entries that this node serves and keeps. */
  public HotEntries hot() {
    return roles.hot;
  }

  /** The copies here that are closed: their disk is still being read. */
  public int closedCopies() {
    return state.openings().size();
  }

  /** The memory that entries take here. */
  public EntryRoom memory() {
    return state.memory();
  }

  /** From now on this one hears what the primaries here are used for. */
  public void tellTraffic(Traffic listener) {
    state.reading().traffic().tellTo(listener);
  }

  // ---- under the protocol lock

  /** This node has ended: drops all copies but TOP's, which tells where things were. */
  public void forgetShards() {
    roles.forgetShards();
  }

  /** Whether a flush was ever complete here: it knows the horizon, and begins above it. */
  public boolean isReady() {
    return topologies.isReady();
  }

  /**
   * Whether this node can leave without a loss, as far as the protocol knows: its flush is
   * complete, it coordinates nothing, and all decisions that it knows are done.
   */
  public boolean drained() {
    return topologies.isHalted()
        || (state.flush().isComplete()
            && outbox.isAllStored()
            && roles.coordinator.attempts() == 0
            && roles.transactions.size() == 0
            && state.decisions().size() == 0);
  }

  /** The id under which a local transaction is being committed now; null: it is not. */
  public @Nullable TxId attemptOf(long transaction) {
    return roles.coordinator.attemptOf(transaction);
  }

  /** The things that are under way here. */
  public ProtocolStatus status() {
    return roles.status(state);
  }

  // ---- steps

  private void step(long nowNanos, List<Effect> effects, Runnable input) {
    if (!topologies.isHalted()) {
      run(nowNanos, effects, input);
    }
  }

  private void run(long nowNanos, List<Effect> effects, Runnable input) {
    outbox.begin(nowNanos, effects);
    try {
      input.run();
      roles.eviction.onStep();
      do {
        for (Envelope e = outbox.poll(); e != null; e = outbox.poll()) {
          if (!topologies.isHalted()) {
            messages.dispatch(e);
          }
        }
      } while (outbox.seal());
      state.openings().ask();
    } finally {
      outbox.finish();
    }
  }
}
