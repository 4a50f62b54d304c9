package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.FlushDone;
import io.canopygrid.gmu.message.Message.Horizon;
import io.canopygrid.gmu.message.Message.HorizonReport;
import io.canopygrid.gmu.message.Message.InTopology;
import io.canopygrid.gmu.message.Message.Mark;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TurnEnded;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.message.Message.Watermarks;
import io.canopygrid.gmu.protocol.Outbox.Envelope;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node's side of the protocol, without threads, clocks or I/O: each input appends to a list of
 * {@link Effect}s what the host must do next. Confined to one lane: one call at a time, but for
 * what is under "on any thread", which can be called at any time.
 *
 * <p>This class only says who handles what; the steps are in {@link Coordinator} (begin, read,
 * prepare, decide) and {@link Participant} (one shard's owner: votes, order, application, reads).
 *
 * <p>Assumed of the host: messages between live members arrive, in any order and perhaps more than
 * once; topologies are installed in the order of their ids, of which some may be missing ({@link
 * Placements}); a node becomes an owner of a shard that others have only after its {@link
 * Effect.Synced}.
 */
public final class ProtocolNode {
  private final NodeId self;
  private final ShardMap shards;
  private final NodeState state;
  private final Outbox outbox;
  private final Placements placements;
  private final Decisions decisions = new Decisions();
  private final FlushRound flush = new FlushRound();
  private final HorizonTracker horizon = new HorizonTracker();
  private final Replicas replicas;
  private final Coordinator coordinator;
  private final Garbage garbage;
  private final OrderedView<VersionChain> noEntries;
  private List<Envelope> deferred = new ArrayList<>();
  private boolean ready;
  private boolean halted;

  /**
   * @param shards how many there are besides TOP
   * @param stores makes the store of each shard's version chains
   */
  public ProtocolNode(
      NodeId self, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    this.self = self;
    this.shards = new ShardMap(shards);
    this.outbox = new Outbox(self);
    this.placements = new Placements(self, this.shards.top() + 1);
    ReadContext reading = new ReadContext(config, fences, new TrafficTap());
    this.state =
        new NodeState(self, outbox, placements, decisions, flush, horizon, stores, reading);
    this.replicas = new Replicas(state, this.shards.top() + 1);
    this.coordinator = new Coordinator(state, this.shards, replicas);
    this.garbage = new Garbage(state, replicas, coordinator);
    this.noEntries = stores.<VersionChain>create().view();
  }

  // ---- inputs

  /**
   * A topology was installed; its id is above all before. One that does not name this node as a
   * member ends it: open reads and commits are answered as well as can be, and from then on nothing
   * happens here.
   */
  public void onTopology(Topology topology, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> install(topology));
  }

  public void onMessage(NodeId source, Message message, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> dispatch(new Envelope(source, message)));
  }

  public void onTimer(Effect.Timer timer, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> replicas.onTimer(timer));
  }

  /** At times: send the mark and the horizon report. */
  public void onTick(long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, this::tick);
  }

  /**
   * Reads for a local transaction, at the same time; each answer is an {@link Effect.Answer}. One
   * that has ended is answered {@link ReadAnswer.Unavailable}.
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
    if (halted) {
      coordinator.reads.refuse(request, queries, clock, effects::add);
    } else {
      Runnable read = () -> coordinator.read(transaction, request, queries, alone, clock, hasRead);
      step(nowNanos, effects, read);
    }
  }

  /**
   * Commits; the outcome is an {@link Effect.Ended}. May be called again after MOVED,
   * TOPOLOGY_CHANGED and LOCK_TIMEOUT; any other outcome ends the transaction. One that has ended
   * is aborted as {@link Outcome.AbortReason#SHARD_UNAVAILABLE}.
   */
  public void commit(
      long transaction,
      VectorClock clock,
      Footprint footprint,
      String label,
      long nowNanos,
      List<Effect> effects) {
    if (halted) {
      coordinator.tryEnd(transaction);
      effects.add(new Effect.Ended(transaction, Outcome.Aborted.UNAVAILABLE));
      return;
    }
    step(nowNanos, effects, () -> coordinator.commit(transaction, clock, footprint, label));
  }

  /**
   * The caller waits for its commit no longer. Where it is not decided yet it is aborted, with an
   * {@link Effect.Ended} at once; else there is none now, and whether it commits is not known.
   */
  public void giveUp(long transaction, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> coordinator.giveUp(transaction));
  }

  /** Forgets a transaction that is not being committed, and that {@link #tryEnd} has left alone. */
  public void end(long transaction, long nowNanos, List<Effect> effects) {
    step(nowNanos, effects, () -> coordinator.end(transaction));
  }

  // ---- on any thread

  /**
   * Begins a transaction at the maximum of the token and the floor: its handle and clock. On a
   * member that is not {@link #isReady} its reads may be answered {@link ReadAnswer.TooOld}.
   */
  public Begun begin(VectorClock token) {
    return coordinator.begin(token);
  }

  /** As {@link RunningTransactions#oldestNanos()}. Any thread. */
  public long oldestNanos() {
    return coordinator.running.oldestNanos();
  }

  /**
   * Begins a transaction at the clock of a named snapshot, which it does not leave: its reads are
   * given all shards as read. They are answered {@link ReadAnswer.TooOld} if nothing pins that
   * clock any more.
   */
  public Begun beginAt(VectorClock pinned) {
    return coordinator.beginAt(pinned);
  }

  /**
   * Forgets a transaction that has asked nothing of the lane; else false, and nothing is done: to
   * {@link #end} it is the lane's.
   */
  public boolean tryEnd(long transaction) {
    return coordinator.tryEnd(transaction);
  }

  /**
   * Reads at this node's own primary: null where the lane must be asked (not the serving primary in
   * this topology, or a commit must be awaited).
   */
  public @Nullable LocalRead tryRead(
      long topology, ReadQuery query, VectorClock clock, ShardSet hasRead) {
    ShardView view = replicas.view(shards.shardOf(query.kcl()));
    return view != null
            && view.topology() == topology
            && view.serves(clock)
            && !state.waitsForTurn(query, hasRead)
        ? view.read(query, clock, hasRead, state.reading())
        : null;
  }

  /**
   * Reads at this node's own copy, also where it is a backup's: null where that is not known to
   * have all that the snapshot must see, so that the primary has to be asked.
   */
  public @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    ShardView view = replicas.view(shards.shardOf(query.kcl()));
    return view == null || state.waitsForTurn(query, hasRead)
        ? null
        : view.readNearest(query, clock, hasRead, state.reading());
  }

  /**
   * Whether a snapshot that has taken other answers may take this one, too, which it asked for at
   * the same time (protocol.md, Several reads at a time).
   */
  public boolean agrees(LocalRead read, VectorClock clock, ShardSet hasRead) {
    return read.agrees(clock, hasRead);
  }

  /**
   * This node's copy of a shard, with whatever gaps it has; empty without a copy. The newest one of
   * TOP and of a shard whose primary this node is; of others perhaps an older one.
   */
  public OrderedView<VersionChain> view(int shard) {
    ShardView view = replicas.view(shard);
    return view == null ? noEntries : view.chains();
  }

  /** What this node's copy of a kcl has. */
  public KclSize size(long kcl) {
    Participant replica = replicas.get(shards.shardOf(kcl));
    return replica == null ? KclSize.NONE : replica.live().of(kcl);
  }

  /** From now on this one hears what the primaries here are used for. */
  public void tellTraffic(Traffic listener) {
    state.reading().traffic().tellTo(listener);
  }

  // ---- in the lane

  /** This node has ended: drops all copies but TOP's, which tells where things were. */
  public void forgetShards() {
    replicas.forgetShards();
  }

  /** Whether a flush was ever complete here: it knows the horizon, and begins above it. */
  public boolean isReady() {
    return ready;
  }

  /**
   * Whether this node can leave without a loss: its flush is complete, it coordinates nothing, and
   * all decisions that it knows are done. (It must also own nothing that has no other owner: the
   * host's business.)
   */
  public boolean drained() {
    return halted
        || (flush.isComplete()
            && coordinator.attempts() == 0
            && coordinator.transactions() == 0
            && decisions.size() == 0);
  }

  /** The id under which a local transaction is being committed now; null: it is not. */
  public @Nullable TxId attemptOf(long transaction) {
    return coordinator.attemptOf(transaction);
  }

  /** What is under way here. */
  public ProtocolStatus status() {
    List<ProtocolStatus.Shard> copies = new ArrayList<>();
    replicas.forEach(replica -> copies.add(replica.status()));
    return new ProtocolStatus(
        placements.id(),
        flush.isDone(),
        coordinator.transactions(),
        coordinator.attempts(),
        decisions.size(),
        deferred.size(),
        copies);
  }

  // ---- steps

  private void step(long nowNanos, List<Effect> effects, Runnable input) {
    if (halted) {
      return;
    }
    outbox.begin(nowNanos, effects);
    try {
      input.run();
      for (Envelope e = outbox.poll(); e != null; e = outbox.poll()) {
        dispatch(e);
      }
    } finally {
      outbox.finish();
    }
  }

  /**
   * A message of a newer topology waits until that is installed. One of an older topology is
   * dropped: its sender sends it again when it installs ours; only a prepare is refused, and not
   * sent again, since the new primary may wait for that very transaction.
   */
  private void dispatch(Envelope envelope) {
    if (envelope.message() instanceof InTopology bound) {
      if (bound.topology() > placements.id()) {
        deferred.add(envelope);
        return;
      }
      if (bound.topology() < placements.id()) {
        if (bound instanceof Prepare prepare) {
          coordinator.refuseOutdated(prepare.record());
        }
        return;
      }
      handleBound(envelope.source(), bound);
    } else {
      handle(envelope.source(), envelope.message());
    }
  }

  private void handleBound(NodeId source, InTopology message) {
    if (message instanceof Read read) {
      replicas.held(read.shard()).onRead(source, read);
    } else if (message instanceof TurnEnded ended) {
      replicas.held(ended.shard()).onTurnEnded(source, ended);
    } else if (message instanceof Prepare prepare) {
      coordinator.onPrepare(prepare.record());
    } else if (message instanceof Decide decide) {
      replicas.onDecide(source, decide);
    } else if (message instanceof StateRequest request) {
      replicas.held(request.shard()).onStateRequest(source, request);
    } else if (message instanceof Flush other) {
      onFlush(source, other);
    } else if (message instanceof FlushDone) {
      onFlushDone(source);
    } else if (message instanceof Mark mark) {
      decisions.onMark(source, mark.below());
    } else if (message instanceof Watermarks told) {
      told.shards().forEach(w -> replicas.held(w.shard()).onWatermark(w.number()));
    } else {
      garbage.onReport(source, (HorizonReport) message);
    }
  }

  private void handle(NodeId source, Message message) {
    if (message instanceof ReadReply reply) {
      coordinator.onReadReply(reply);
    } else if (message instanceof Vote vote) {
      coordinator.onVote(source, vote);
    } else if (message instanceof Ack ack) {
      coordinator.onAck(source, ack);
    } else if (message instanceof State chunk) {
      Participant replica = replicas.get(chunk.shard());
      if (replica != null) {
        replica.onState(chunk);
      }
    } else {
      garbage.onHorizon(source, (Horizon) message);
    }
  }

  // ---- topology

  private void install(Topology topology) {
    if (topology.id() <= placements.id()) {
      return;
    }
    Invariant.holds(
        topology.id() <= state.config().topologyMax(),
        "topology %s is above all epochs: the grid must be started anew",
        topology.id());
    if (!topology.members().contains(self)) {
      coordinator.halt(topology.members());
      halted = true;
      return;
    }
    boolean gap = placements.install(topology);
    horizon.startRound();
    sendFlush();
    replicas.onTopology(gap);
    coordinator.onTopology();
    List<Envelope> waited = deferred;
    deferred = new ArrayList<>();
    waited.forEach(outbox::redeliver);
    checkFlush();
    replicas.forEach(Participant::checkTakeover);
  }

  /** All decisions to commit that are known here and not done, to every other member (Flush). */
  private void sendFlush() {
    Map<TxId, Decision> known = new LinkedHashMap<>();
    decisions.commits().forEach(d -> known.put(d.tid(), d));
    coordinator.commits().forEach(d -> known.put(d.tid(), d));
    Flush message = new Flush(placements.id(), List.copyOf(known.values()), flushedHorizon());
    flush.start(self, placements.members(), message, outbox.nowNanos());
    for (NodeId member : placements.members()) {
      if (!member.equals(self)) {
        outbox.send(member, message);
      }
    }
  }

  /** The horizon that a flush carries (Flush). */
  VectorClock flushedHorizon() {
    return horizon.horizon();
  }

  private void onFlush(NodeId source, Flush message) {
    if (flush.isNew(source)) {
      boolean stable = !state.awaitsFlushOfAll();
      garbage.raise(message.horizon());
      for (Decision decision : message.decisions()) {
        if (!decisions.isDone(decision.tid()) && !coordinator.coordinates(decision.tid())) {
          replicas.learn(decision, null, stable);
        }
      }
      flush.onFlush(source, message);
      checkFlush();
    } else if (flush.isComplete()) {
      // It asks again, as it has not heard that this node is done.
      outbox.send(source, new FlushDone(placements.id()));
    }
  }

  /** Garbage; and what has no answer for long is said again (Lost messages). */
  private void tick() {
    garbage.tick();
    coordinator.askAgain();
    replicas.forEach(Participant::tick);
    flushAgain();
  }

  /** Tells again what members have not heard for long (Lost messages). */
  void flushAgain() {
    Flush own = flush.own();
    if (own != null) {
      for (NodeId member : flush.overdue(outbox.nowNanos(), state.config().resendNanos())) {
        if (!member.equals(self)) {
          outbox.send(member, own);
        }
      }
    }
  }

  private void checkFlush() {
    if (!flush.completes()) {
      return;
    }
    ready = true;
    replicas.abortOrphans();
    coordinator.onFlushed();
    for (NodeId member : placements.members()) {
      outbox.send(member, new FlushDone(placements.id()));
    }
    replicas.forEach(replica -> {
      replica.checkTakeover();
      replica.answerState();
    });
  }

  private void onFlushDone(NodeId source) {
    boolean before = flush.isDone();
    flush.onDone(source);
    if (flush.isDone() && !before) {
      replicas.exposeFlushed();
      flush.settle();
      replicas.forEach(Participant::checkTakeover);
      decisions.forgetAll(coordinators -> !placements.isMember(coordinators));
    }
  }
}
