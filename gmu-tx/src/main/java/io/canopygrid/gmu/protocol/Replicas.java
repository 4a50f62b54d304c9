package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The shards that this node has a copy of, and what concerns several of them at once. Confined to
 * the protocol lock, except {@link #get}.
 */
final class Replicas {
  private final NodeState node;
  private volatile @Nullable Participant[] byShard;

  /** The copies of the disk of a node that comes back, which it may go on with. */
  private final Map<Integer, Recovered.Copy> left = new TreeMap<>();

  Replicas(NodeState node, int shards) {
    this.node = node;
    this.byShard = new @Nullable Participant[shards];
  }

  /** Begins with the copies that the disk has. */
  void restore(Recovered recovered) {
    new TreeMap<>(recovered.copies())
        .forEach((shard, copy) -> {
          set(shard, Participant.of(shard, node, copy));
          if (copy.isClosed()) {
            node.openings().add(shard);
          }
        });
  }

  /** The disk has told some versions of a closed copy, or the last ones. */
  void onOpened(Effect.Open asked, List<KeyVersions> versions, boolean last) {
    if (node.openings().isOf(asked)) {
      held(asked.shard()).onOpened(versions, last);
      if (last) {
        node.openings().end(asked);
      }
    }
  }

  /**
   * This node comes back, in the topology that is being installed: its disk's copies are not
   * complete any more.
   */
  void comeBack(Map<Integer, Recovered.Copy> copies) {
    copies.forEach((shard, copy) -> {
      if (copy.complete().isKnown()) {
        left.put(shard, copy);
        node.changes().add(new StorageChange.ResumeCopy(shard));
      } else {
        node.changes().add(new StorageChange.EndCopy(shard));
      }
    });
  }

  /** This node's copy of a shard; null: it has none. Any thread. */
  @Nullable Participant get(int shard) {
    return byShard[shard];
  }

  /** The view that readers have of a shard here; null: none. Any thread. */
  @Nullable ShardView view(int shard) {
    Participant replica = byShard[shard];
    return replica == null ? null : replica.view();
  }

  /** This node's copy of TOP; null: it has none. */
  @Nullable Participant top() {
    return byShard[byShard.length - 1];
  }

  /** This node's copy, which it has in this topology. */
  Participant held(int shard) {
    return Invariant.present(byShard[shard], "asked for a shard that is not here");
  }

  /** Drops all copies but TOP's. */
  void forgetShards() {
    node.memory().clear();
    node.openings().clear();
    @Nullable Participant[] kept = new @Nullable Participant[byShard.length];
    kept[kept.length - 1] = top();
    byShard = kept;
  }

  boolean isServing(int shard) {
    Participant replica = byShard[shard];
    return replica != null && replica.isServing();
  }

  /**
   * Up to which number every owner of a shard has all commits; 0: this node is not its primary, or
   * does not know.
   */
  long completeUpTo(int shard) {
    Participant replica = byShard[shard];
    return replica == null ? 0 : replica.completeUpTo();
  }

  /** The primary says so, in this topology. */
  void onComplete(int shard, long number) {
    Participant replica = byShard[shard];
    if (replica != null) {
      replica.onWatermark(number);
    }
  }

  void forEach(Consumer<Participant> action) {
    for (Participant replica : byShard) {
      if (replica != null) {
        action.accept(replica);
      }
    }
  }

  /** The disk has told values that reads wait for, all of one shard. */
  void onLoaded(long number, int shard, Map<VersionId, byte[]> values) {
    Participant replica = byShard[shard];
    if (replica != null) {
      replica.onLoaded(number, values);
    }
  }

  void onTimer(Effect.Timer timer) {
    Participant replica = byShard[timer.shard()];
    if (replica != null) {
      replica.onTimer(timer);
    }
  }

  // ---- decisions

  /** This node has decided a commit in one phase. */
  void onDecided(Decision decision) {
    VectorClock clock = Invariant.present(decision.clock(), "no commit");
    for (int shard : decision.participants()) {
      Participant replica = byShard[shard];
      if (replica != null) {
        replica.onDecided(decision.tid(), clock);
      }
    }
  }

  /** A coordinator tells a decision (Decide). */
  void onDecide(NodeId source, Decide decide) {
    Participant replica = held(decide.shard());
    Decision decision = decide.decision();
    TxId tid = decision.tid();
    boolean wasQueued = replica.isQueued(tid);
    if (!node.decisions().isDone(tid)) {
      learn(decision, decide.record(), decide.stable());
    }
    replica.onWatermark(decide.complete());
    if (replica.isQueued(tid) || replica.isHeldBack(decide.stable())) {
      node.acknowledge(source, tid, decide.shard(), false);
    } else if (!wasQueued || decision.clock() == null) {
      // Otherwise it left the queue just now, and was acknowledged as applied.
      node.acknowledge(source, tid, decide.shard(), true);
    }
  }

  /** The number of copies here in whose queues a transaction stands. */
  int countQueued(TxId tid) {
    int count = 0;
    for (Participant replica : byShard) {
      if (replica != null && replica.isQueued(tid)) {
        count++;
      }
    }
    return count;
  }

  /**
   * Keeps a decision, and resolves it at every copy here for which its record is known; where it
   * could be seen only if it is stable.
   */
  void learn(Decision decision, @Nullable TxRecord sent, boolean stable) {
    node.decisions().remember(decision, node.outbox().thisStep());
    for (int shard : decision.participants()) {
      Participant replica = byShard[shard];
      TxRecord rec = replica == null ? null : recordOf(replica, decision, sent);
      if (replica != null && rec != null && !replica.isHeldBack(stable)) {
        replica.resolve(rec, decision.clock());
      }
    }
  }

  /** All members know what was told in the flush: what was kept back until now may be seen. */
  void exposeFlushed() {
    boolean ofAll = node.awaitsFlushOfAll();
    for (Decision decision : node.flush().told()) {
      if (!node.decisions().isDone(decision.tid())) {
        if (ofAll) {
          learn(decision, null, true);
        } else {
          resolveStored(decision);
        }
      }
    }
  }

  /**
   * Resolves the records that are still stored. A record that is not stored any more is applied:
   * brought back it could outlive its tombstone.
   */
  private void resolveStored(Decision decision) {
    for (int shard : decision.participants()) {
      Participant replica = byShard[shard];
      TxRecord stored = replica == null ? null : replica.records().get(decision.tid());
      if (replica != null && stored != null) {
        replica.resolve(stored, decision.clock());
      }
    }
  }

  private static @Nullable TxRecord recordOf(
      Participant replica, Decision decision, @Nullable TxRecord sent) {
    TxRecord stored = replica.records().get(decision.tid());
    if (stored != null) {
      return stored;
    }
    if (sent != null && sent.shard() == replica.shard()) {
      return sent;
    }
    return recordIn(decision, replica.shard());
  }

  private static @Nullable TxRecord recordIn(Decision decision, int shard) {
    for (TxRecord rec : decision.records()) {
      if (rec.shard() == shard) {
        return rec;
      }
    }
    return null;
  }

  /**
   * All members have told what they know (Flush): what a coordinator that left did not decide,
   * aborts.
   */
  void abortOrphans() {
    List<TxRecord> orphans = new ArrayList<>();
    forEach(replica -> {
      for (TxRecord rec : replica.records().values()) {
        TxId tid = rec.tid();
        if (!node.placements().isMember(tid.coordinator()) && !isKeptBack(tid)) {
          orphans.add(rec);
        }
      }
    });
    for (TxRecord rec : orphans) {
      List<Integer> participants = rec.participants();
      learn(new Decision(rec.tid(), null, participants, rec.snapshot(), List.of()), null, true);
    }
  }

  /**
   * Whether a record's decision is known, and kept back: then it is no orphan (Several failures).
   */
  boolean isKeptBack(TxId tid) {
    return node.decisions().get(tid) != null;
  }

  // ---- topology

  /**
   * Takes the roles that the installed topology gives this node.
   *
   * @param gap whether topologies may have been missed
   */
  void onTopology(boolean gap) {
    endTerms();
    for (int shard = 0; shard < byShard.length; shard++) {
      Participant replica = byShard[shard];
      if (node.placements().isOwner(shard)) {
        own(shard, replica);
      } else if (node.placements().isLearner(shard)) {
        join(shard, replica, gap);
      } else if (replica != null) {
        set(shard, null);
        node.changes().add(new StorageChange.EndCopy(shard));
      }
    }
    if (!node.placements().isLearner()) {
      left.keySet().forEach(shard -> node.changes().add(new StorageChange.EndCopy(shard)));
      left.clear();
    }
  }

  /**
   * Ends the terms of shards that others lead, before anything goes on in those that this node
   * leads: a one-phase transaction of both must not be decided any more (Term's end).
   */
  private void endTerms() {
    forEach(replica -> {
      replica.onTopology();
      if (!node.placements().isPrimary(replica.shard())) {
        replica.endTerm();
      }
    });
  }

  private void own(int shard, @Nullable Participant before) {
    Participant replica = before;
    if (replica == null) {
      Invariant.holds(
          mayBeEmpty(shard), "an owner of shard %s, which others own, without a copy", shard);
      left.remove(shard);
      replica = new Participant(shard, node, true);
      set(shard, replica);
    }
    Invariant.holds(replica.isSynced(), "an owner without the state: shard %s", shard);
    if (node.placements().isPrimary(shard)) {
      replica.lead();
    }
  }

  /**
   * Whether an owner without a copy is the first of a new shard, and has all there is: the grid
   * begins, or no other member owns the shard (protocol.md, Joining).
   */
  boolean mayBeEmpty(int shard) {
    return node.placements().isFirst() || node.placements().owners(shard).size() == 1;
  }

  private void join(int shard, @Nullable Participant before, boolean gap) {
    Participant replica = before;
    Recovered.Copy ofDisk = left.remove(shard);
    if (replica == null || gap) {
      Participant fresh =
          replica == null && ofDisk != null
              ? Participant.resumed(shard, node, ofDisk)
              : new Participant(shard, node, false);
      set(shard, fresh);
      startOver(fresh, replica);
      replica = fresh;
    }
    replica.join();
  }

  /**
   * A new copy begins with what this node knows of undone commits; of a copy that it replaces also
   * with its records: both may have been acknowledged and not be sent again.
   */
  private void startOver(Participant fresh, @Nullable Participant before) {
    if (before != null) {
      fresh.incoming().inherit(before.records());
    }
    for (Decision decision : node.decisions().commits()) {
      TxRecord rec = recordIn(decision, fresh.shard());
      if (rec != null) {
        fresh.resolve(rec, decision.clock());
      }
    }
  }

  private void set(int shard, @Nullable Participant replica) {
    Participant before = byShard[shard];
    if (before != null) {
      before.stored().copy().release();
      node.openings().forget(shard);
    }
    @Nullable Participant[] next = byShard.clone();
    next[shard] = replica;
    byShard = next;
  }

  // ---- garbage

  /** The meet of a clock with what is forced of each complete copy here, in its own shard. */
  VectorClock meetForced(VectorClock clock) {
    int[] shards = new int[clock.size()];
    long[] numbers = new long[clock.size()];
    int size = 0;
    for (int i = 0; i < clock.size(); i++) {
      Participant replica = byShard[clock.shardAt(i)];
      long forced =
          replica == null || !replica.isSynced() ? clock.numberAt(i) : replica.forcedUpTo();
      if (forced > 0) {
        shards[size] = clock.shardAt(i);
        numbers[size++] = Math.min(clock.numberAt(i), forced);
      }
    }
    return VectorClock.of(Arrays.copyOf(shards, size), Arrays.copyOf(numbers, size));
  }

  /** The number of transactions that are prepared or decided here and not done. */
  int countUndone() {
    Set<TxId> undone = new HashSet<>();
    forEach(replica -> undone.addAll(replica.records().keySet()));
    node.decisions().all().forEach(decision -> undone.add(decision.tid()));
    return undone.size();
  }

  /** The number of entries in the logs of all copies here. */
  long logged() {
    long logged = 0;
    for (Participant replica : byShard) {
      logged += replica == null ? 0 : replica.view().log().size();
    }
    return logged;
  }

  /** The meet of a clock with the snapshot of every record here. */
  VectorClock meetInUse(VectorClock clock) {
    VectorClock lowest = clock;
    for (Participant replica : byShard) {
      if (replica != null) {
        for (TxRecord rec : replica.records().values()) {
          lowest = lowest.meet(rec.snapshot());
        }
      }
    }
    return lowest;
  }
}
