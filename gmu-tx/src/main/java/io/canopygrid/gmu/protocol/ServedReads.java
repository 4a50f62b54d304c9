package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.message.Message.TurnEnded;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.ReadWaits.Waiting;
import io.canopygrid.gmu.protocol.read.ColdValues;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.storage.VersionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The reads that a shard's primary is asked for by messages: answers each when it is its turn
 * (protocol.md, Turns) and what its snapshot knows is applied (Read, step 1). Confined to the
 * protocol lock.
 */
final class ServedReads {
  private final int shard;
  private final NodeState node;
  private final Supplier<ShardView> view;
  private final ReadWaits waits = new ReadWaits();
  private final LongSupplier restsOn;
  private final Turns turns;

  /** The reads that wait for the disk, by the numbers of what was asked of it. */
  private final Map<Long, Cold> cold = new LinkedHashMap<>();

  private record Cold(Waiting asked, ColdValues values) {}

  /**
   * Reads of a term.
   *
   * @param view what was published last
   * @param restsOn the last position that must be stored before that may be seen
   * @param isLocked whether a commit that will write the key is under way
   */
  ServedReads(
      int shard,
      NodeState node,
      Supplier<ShardView> view,
      LongSupplier restsOn,
      Predicate<CompositeKey> isLocked) {
    this.shard = shard;
    this.node = node;
    this.view = view;
    this.restsOn = restsOn;
    this.turns = new Turns(shard, node, isLocked, this::serve);
  }

  void onRead(NodeId source, Read read) {
    Waiting asked = new Waiting(source, read);
    boolean waits =
        node.waitsForTurn(read.query(), read.hasRead())
            && !turns.take(((ReadQuery.Get) read.query()).key(), asked);
    if (!waits) {
      node.asked(read.query(), shard);
      serve(asked);
    }
  }

  private void serve(Waiting asked) {
    if (view.get().serves(asked.read().clock())) {
      answer(asked, new ColdValues(node.memory()));
    } else {
      node.openings().want(shard);
      waits.add(asked.source(), asked.read());
    }
  }

  /** Answers, or asks the disk for what the answer lacks (Cold reads). */
  private void answer(Waiting asked, ColdValues values) {
    Read read = asked.read();
    LocalRead result =
        view.get()
            .read(read.query(), read.clock(), read.hasRead(), read.whole(), node.reading(), values);
    if (result == null) {
      cold.put(node.outbox().load(values.takeMissing(shard)), new Cold(asked, values));
      return;
    }
    VectorClock clock = node.clocks().answered(read, result);
    ReadReply reply = new ReadReply(read.request(), shard, clock, result.answer(), isInTurn(asked));
    node.outbox().send(asked.source(), reply, restsOn.getAsLong());
  }

  /** The disk has told values: the read is done again, on what is there now. */
  void onLoaded(long number, Map<VersionId, byte[]> values) {
    Cold waiting = cold.remove(number);
    if (waiting != null) {
      values.forEach(waiting.values()::learn);
      answer(waiting.asked(), waiting.values());
    }
  }

  private boolean isInTurn(Waiting asked) {
    return !turns.isEmpty()
        && asked.read().query() instanceof ReadQuery.Get get
        && turns.isHolder(get.key(), asked);
  }

  /** The highest number that a read waits for, up to this one; 0: none. */
  long awaited(long upTo) {
    return waits.awaited(upTo);
  }

  /**
   * Refuses a read whose clock names a number that cannot have been given (Clocks from outside).
   */
  void refuse(NodeId source, Read read) {
    ReadAnswer answer = new ReadAnswer.Unavailable(shard);
    node.outbox().send(source, new ReadReply(read.request(), shard, read.clock(), answer, false));
  }

  /** Commits up to a number are applied, and published. */
  void onApplied(long applied) {
    waits.take(applied).forEach(asked -> answer(asked, new ColdValues(node.memory())));
  }

  /**
   * A transaction that held locks is resolved here, and published where it is applied.
   *
   * @param written whether it has written; else it was aborted
   */
  void onResolved(TxRecord rec, boolean written) {
    if (!turns.isEmpty()) {
      for (Write write : rec.footprint().writes()) {
        turns.onUnlocked(write.key(), written);
      }
    }
  }

  void onTurnEnded(NodeId source, TurnEnded ended) {
    turns.onEnded(ended.key(), source, ended.request());
  }

  void onTurnTimer(CompositeKey key) {
    turns.onTimer(key);
  }

  /** At times. */
  void tick() {
    turns.prune();
  }

  /** A topology is installed: who waits asks again. */
  void clear() {
    waits.clear();
    turns.clear();
    cold.clear();
    Invariant.holds(size() == 0, "reads are left over: shard %s", shard);
  }

  /** Whether a read waits for its turn at a key. */
  boolean isTurnAwaited(CompositeKey key) {
    return turns.isAwaited(key);
  }

  /** The reads that wait, and the turns that are not over. */
  int size() {
    return waits.size() + turns.size() + cold.size();
  }
}
