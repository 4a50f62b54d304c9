package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Resolved;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.protocol.copy.StateChunks;
import java.util.List;
import java.util.Map;

/**
 * A shard's state on its way to a learner (protocol.md, Joining): asks the primary for it, merges
 * it chunk by chunk, and says when the copy is complete. Confined to the protocol lock.
 */
final class IncomingState {
  private final NodeState node;
  private final StoredShard stored;
  private final StateChunks chunks = new StateChunks();

  /** The highest number that the state had applied. */
  private long applied;

  /** Whether the copy is complete, and that is not said yet. */
  private boolean isToSay;

  IncomingState(NodeState node, StoredShard stored) {
    this.node = node;
    this.stored = stored;
  }

  /** Asks the primary for the state. */
  void ask() {
    NodeId primary = node.placements().primary(stored.shard());
    if (primary != null) {
      long topology = node.placements().id();
      long request = chunks.ask(topology, node.outbox().nowNanos());
      UpTo has = stored.begunWith();
      node.outbox().send(primary, new StateRequest(topology, stored.shard(), request, has));
    }
  }

  /** Asks again where nothing came for long (Lost messages). */
  void askAgain() {
    long now = node.outbox().nowNanos();
    if (!stored.isSynced() && chunks.isOverdue(now, node.config().stateResendNanos())) {
      ask();
    }
  }

  /** Merges a state by number and transaction. */
  void onState(State state) {
    if (stored.isSynced() || !isOfThisTopology(state)) {
      return;
    }
    List<State> ready = chunks.inOrder(state, node.outbox().nowNanos());
    if (ready.stream().flatMap(chunk -> chunk.records().stream()).anyMatch(this::isDoneSince)) {
      ask();
      return;
    }
    ShardCopy copy = stored.copy();
    for (State chunk : ready) {
      if (chunk.chunk() == 0 && chunk.since() == 0) {
        copy.forgetLog(stored.begunWith().number());
      }
      copy.mergeLog(chunk.log(), chunk.applied(), chunk.mostRecent());
      chunks.over(chunk).forEach(stored::forget);
      chunk.records().forEach(this::takeOver);
      mergeChains(copy, chunk);
      chunks.took(chunk);
      if (chunk.last()) {
        applied = chunk.applied();
        onLast();
      }
    }
  }

  private void mergeChains(ShardCopy copy, State chunk) {
    node.placements().hearFounded(chunk.founded());
    if (chunk.chunk() == 0) {
      copy.knowsRemovalsFrom(chunk.since() > 0 ? chunk.since() : chunk.applied());
    }
    if (chunk.since() > 0) {
      copy.mergeChanges(chunk.chains(), chunk.gone(), chunk.applied());
    } else {
      copy.mergeChains(chunk.chains(), replacedUpTo(chunk), chunks.takenUpTo(), chunk.last());
    }
  }

  /**
   * Up to which number a whole state replaces what is here: also what the disk had above all that
   * the primary has applied, as a cut may have taken it (Coming back).
   */
  long replacedUpTo(State chunk) {
    return Math.max(chunk.applied(), stored.begunWith().number());
  }

  private void onLast() {
    stored.onSynced();
    stored.prune();
    stored.publishIfTop();
    saySynced();
  }

  /**
   * Whether a state is of this topology: it counts only in the one in which it was asked for
   * (Joining). An older one can have records that the flush has resolved meanwhile; it was asked
   * for again.
   */
  boolean isOfThisTopology(State state) {
    return state.topology() == node.placements().id();
  }

  /**
   * Whether a transaction that the primary had not resolved when it sent its state is done now, and
   * nobody knows its outcome any more. The learner's copy before this one may have acknowledged it.
   * The primary has resolved it since: another state has it.
   */
  boolean isDoneSince(Resolved resolved) {
    TxId tid = resolved.record().tid();
    return resolved.clock() == null
        && node.decisions().get(tid) == null
        && node.decisions().isDone(tid);
  }

  private void takeOver(Resolved resolved) {
    TxRecord rec = resolved.record();
    Decision known = node.decisions().get(rec.tid());
    VectorClock clock = resolved.clock();
    if (clock == null && known != null) {
      clock = known.clock();
    }
    if (clock != null) {
      stored.resolveUnordered(rec, clock);
    } else if (known == null && !node.decisions().isDone(rec.tid())) {
      prepare(rec);
    }
  }

  private void prepare(TxRecord rec) {
    if (!stored.records().containsKey(rec.tid())) {
      stored.prepare(rec);
    }
  }

  /** Whether all that is missing is a higher watermark on the disk. */
  boolean waitsForWatermark() {
    return isToSay;
  }

  /** The copy's watermark is forced. */
  void onForced() {
    if (isToSay) {
      saySynced();
    }
  }

  /**
   * Says, in each topology, that this learner's copy is complete; where a power cut can take what
   * is stored, once the disk has, forced, all that others may have pruned by this node's reports.
   */
  void saySynced() {
    isToSay = !mayOwn();
    if (!isToSay) {
      node.outbox().emit(new Effect.Synced(node.placements().id(), stored.shard()));
    }
  }

  /**
   * Whether the copy would be an owner's that a cut can go by (Cuts): its forced watermark is not
   * below what others may have pruned, what the state had, and the beginning of this topology. With
   * a lower one a cut would go back to before the copy began.
   */
  boolean mayOwn() {
    if (!node.changes().isForcedLater()) {
      return true;
    }
    long reported = node.horizon().reported().get(stored.shard());
    return stored.forcedUpTo() >= Math.max(Math.max(reported, applied), node.epochStart());
  }

  /** Takes over the records of the copy that this one replaces. */
  void inherit(Map<TxId, TxRecord> before) {
    before.values().forEach(this::prepare);
    chunks.inherit(before.keySet());
  }
}
