package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.membership.Replica;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction from its prepare on, at its coordinator. */
final class CommitAttempt {
  private final TxId tid;
  private final long transaction;
  private final VectorClock snapshot;
  private final SortedMap<Integer, TxRecord> records;
  private final List<Integer> participants;
  private final boolean onePhase;
  private final boolean delegated;
  private final long topology;

  /** The replicas that have not answered the prepare yet. */
  private final Set<Replica> awaited = new HashSet<>();

  /** In which topology each has answered the prepare. */
  private final Map<Replica, Long> stored = new HashMap<>();

  /** The replicas that have said that they know the decision. */
  private final Set<NodeId> acknowledged = new HashSet<>();

  /** In which topology each has said that it has applied it. */
  private final Map<Replica, Long> applied = new HashMap<>();

  private VectorClock votes;
  private @Nullable Decision decision;
  private boolean stable;

  /** Whether this node, which decides it, has stored the decision. */
  private boolean storedHere;

  /** Hears how it goes on; null: nobody does, as mostly. */
  private @Nullable CommitProgress progress;

  private boolean pushed;
  private boolean told;
  private long saidAt;

  /** The node that decides. */
  enum Phases {
    /** Its coordinator, with the votes of the participants. */
    TWO,
    /** Its coordinator, the primary of all participants. */
    ONE,
    /** The primary of the only participant, another node than its coordinator. */
    DELEGATED
  }

  private CommitAttempt(
      TxId tid,
      long transaction,
      VectorClock snapshot,
      SortedMap<Integer, TxRecord> records,
      Phases phases,
      long topology) {
    this.tid = tid;
    this.transaction = transaction;
    this.snapshot = snapshot;
    this.records = records;
    this.participants = List.copyOf(records.keySet());
    this.onePhase = phases != Phases.TWO;
    this.delegated = phases == Phases.DELEGATED;
    this.topology = topology;
    this.votes = snapshot;
  }

  /**
   * A new one, of a footprint's parts by shard.
   *
   * @param topology the one in which it is prepared
   */
  static CommitAttempt of(
      TxId tid,
      long transaction,
      VectorClock clock,
      SortedMap<Integer, Footprint> parts,
      Phases phases,
      String label,
      long topology) {
    List<Integer> participants = List.copyOf(parts.keySet());
    SortedMap<Integer, TxRecord> records = new TreeMap<>();
    boolean onePhase = phases != Phases.TWO;
    parts.forEach((shard, part) ->
        records.put(shard, new TxRecord(tid, shard, participants, clock, part, onePhase, label)));
    return new CommitAttempt(tid, transaction, clock, records, phases, topology);
  }

  /** An attempt that another node has delegated to this one: no transaction runs here. */
  static CommitAttempt delegatedHere(TxRecord rec, long topology) {
    SortedMap<Integer, TxRecord> records = new TreeMap<>();
    records.put(rec.shard(), rec);
    return new CommitAttempt(rec.tid(), 0, rec.snapshot(), records, Phases.ONE, topology);
  }

  void watchedBy(@Nullable CommitProgress watcher) {
    progress = watcher;
  }

  /** Tells who watches it, if anybody does. */
  void tell(CommitProgress.Event event, NodeId node, int shard, long nanos) {
    CommitProgress watcher = progress;
    if (watcher != null) {
      watcher.on(event, node, shard, nanos);
    }
  }

  TxId tid() {
    return tid;
  }

  /** The local transaction that is being committed. */
  long transaction() {
    return transaction;
  }

  VectorClock snapshot() {
    return snapshot;
  }

  List<Integer> participants() {
    return participants;
  }

  TxRecord rec(int shard) {
    return Invariant.present(records.get(shard), "no part in this shard");
  }

  /** The keys that it writes. */
  Set<CompositeKey> written() {
    Set<CompositeKey> written = new HashSet<>();
    records.values().forEach(rec -> rec.footprint().writes().forEach(w -> written.add(w.key())));
    return written;
  }

  boolean isOnePhase() {
    return onePhase;
  }

  /** Whether another node decides it, and has not been heard yet. */
  boolean isDelegated() {
    return delegated && decision == null;
  }

  void await(Replica replica) {
    awaited.add(replica);
  }

  Set<Replica> awaited() {
    return awaited;
  }

  /** A yes; true when it was the last one missing. */
  boolean onYes(Replica replica, long topology, @Nullable VectorClock vote) {
    stored.put(replica, topology);
    if (vote != null) {
      votes = votes.join(vote);
    }
    return awaited.remove(replica) && awaited.isEmpty();
  }

  /** The commit clock: the maximum of the snapshot and all votes. */
  VectorClock commitClock() {
    return votes;
  }

  boolean isDecided() {
    return decision != null;
  }

  /** The decision; none before it is made. */
  @Nullable Decision decision() {
    return decision;
  }

  /** Decides; the clock is null for an abort. */
  Decision decide(@Nullable VectorClock clock, boolean withRecords) {
    Invariant.holds(decision == null, "decided twice: %s", tid);
    List<TxRecord> all = withRecords ? new ArrayList<>(records.values()) : List.of();
    Decision made = new Decision(tid, clock, participants, snapshot, all);
    decision = made;
    return made;
  }

  /** Takes the decision that another node has made. */
  void adopt(Decision made) {
    Invariant.holds(delegated && decision == null, "decided here: %s", tid);
    decision = made;
  }

  @Nullable Long storedIn(Replica replica) {
    return stored.get(replica);
  }

  void onAck(Replica replica, long topology, boolean isApplied) {
    acknowledged.add(replica.node());
    if (isApplied) {
      applied.merge(replica, topology, Math::max);
    }
  }

  @Nullable Long appliedIn(Replica replica) {
    return applied.get(replica);
  }

  /** The members among these that have said that they know the decision. */
  Set<NodeId> knowing(Collection<NodeId> members) {
    Set<NodeId> knowing = new HashSet<>(acknowledged);
    knowing.retainAll(members);
    return knowing;
  }

  /** Whether enough nodes know the decision for it to be seen everywhere, in this topology. */
  boolean isStable() {
    return stable;
  }

  /** Whether its participants have been told. */
  boolean isPushed() {
    return pushed;
  }

  void setPushed() {
    pushed = true;
  }

  boolean isStoredHere() {
    return storedHere;
  }

  void setStoredHere() {
    storedHere = true;
  }

  void setStable(boolean enough) {
    stable = enough;
  }

  /** The topology in which it was prepared, and in which alone a prepare of it means something. */
  long topology() {
    return topology;
  }

  /** True where nothing was said for so long; then it counts as said again. */
  boolean isOverdue(long nowNanos, long nanos) {
    boolean overdue = nowNanos - saidAt >= nanos;
    if (overdue) {
      saidAt = nowNanos;
    }
    return overdue;
  }

  /** Its participants are being told. */
  void said(long nowNanos) {
    saidAt = nowNanos;
  }

  boolean isTold() {
    return told;
  }

  /** True the first time: the caller has to be told. */
  boolean tellOnce() {
    boolean first = !told;
    told = true;
    return first;
  }
}
