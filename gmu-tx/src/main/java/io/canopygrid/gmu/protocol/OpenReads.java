package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReadQuery.Get;
import io.canopygrid.gmu.ReadQuery.Turn;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.ReadReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reads of local transactions that have no answer yet (protocol.md, Read). When a topology is
 * installed they are asked again, of the new primary; only the first answer to each counts, since a
 * second one may have fixed another clock.
 */
final class OpenReads {
  private final NodeState node;
  private final ShardMap shards;
  private final Map<Long, Open> reads = new LinkedHashMap<>();
  private final TakenTurns turns;

  OpenReads(NodeState node, ShardMap shards) {
    this.node = node;
    this.shards = shards;
    this.turns = new TakenTurns(node);
  }

  /**
   * @param alone whether the transaction waits for this answer and nothing else: then it is taken,
   *     and the transaction goes on from its clock
   */
  private record Open(
      long transaction,
      boolean alone,
      int shard,
      ReadQuery query,
      VectorClock clock,
      ShardSet hasRead,
      long askedAt) {
    Open askedAgain(long nowNanos) {
      return new Open(transaction, alone, shard, query, clock, hasRead, nowNanos);
    }
  }

  /** Asks the shards' primaries; before the first topology the reads wait for that. */
  void ask(
      long transaction,
      long request,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead) {
    long now = node.outbox().nowNanos();
    for (int i = 0; i < queries.size(); i++) {
      ReadQuery query = queries.get(i);
      int shard = shards.shardOf(query.kcl());
      Open read = new Open(transaction, alone, shard, query, clock, hasRead, now);
      reads.put(request + i, read);
      if (query instanceof Get get && get.turn() == Turn.OWN) {
        turns.add(transaction, shard, get.key(), request + i);
      }
      ask(request + i, read);
    }
  }

  /** Answers on a node that has ended, or where the transaction has. */
  void refuse(
      long request,
      List<ReadQuery> queries,
      VectorClock clock,
      boolean old,
      Consumer<Effect> effects) {
    for (int i = 0; i < queries.size(); i++) {
      int shard = shards.shardOf(queries.get(i).kcl());
      ReadAnswer answer = old ? new ReadAnswer.TooOld() : new ReadAnswer.Unavailable(shard);
      effects.accept(new Effect.Answer(request + i, shard, clock, answer));
    }
  }

  private void ask(long request, Open read) {
    long topology = node.placements().id();
    NodeId primary = node.placements().primary(read.shard);
    if (primary != null) {
      node.outbox().send(primary, message(topology, request, read));
    } else if (topology > 0) {
      reads.remove(request);
      answer(request, read.shard, read.clock, new ReadAnswer.Unavailable(read.shard));
    }
  }

  private Read message(long topology, long request, Open read) {
    VectorClock clock = read.clock;
    NarrowClocks clocks = node.clocks();
    VectorClock part = clocks.mayAsk(clock) ? clocks.asked(clock, read.shard, read.hasRead) : clock;
    boolean whole = clocks.isWhole(part, clock);
    return new Read(topology, request, read.shard, read.query, part, read.hasRead, whole);
  }

  /**
   * Takes an answer; returns the transaction that waited for it alone, and its clock, null where
   * none did. That of a node which this one knows to be expelled may lack commits that were told
   * since: the read was asked again when the topology without that node was installed.
   */
  @Nullable Advance onReply(NodeId source, ReadReply reply) {
    Open read = node.placements().isMember(source) ? reads.remove(reply.request()) : null;
    if (read == null) {
      return null;
    }
    if (read.query instanceof Get get && get.turn() != Turn.NONE) {
      onReply(reply, read.transaction, get);
    }
    VectorClock clock = read.clock.join(reply.clock());
    answer(reply.request(), reply.shard(), clock, reply.answer());
    return read.alone ? new Advance(read.transaction, clock) : null;
  }

  /** A transaction goes on from a clock. */
  record Advance(long transaction, VectorClock clock) {}

  private void onReply(ReadReply reply, long transaction, Get get) {
    if (reply.inTurn() && get.turn() == Turn.BEHIND_OTHERS) {
      turns.add(transaction, reply.shard(), get.key(), reply.request());
    }
    if (!(reply.answer() instanceof ReadAnswer.Got)) {
      turns.end(transaction, reply.request());
    }
  }

  private void answer(long request, int shard, VectorClock clock, ReadAnswer answer) {
    node.outbox().emit(new Effect.Answer(request, shard, clock, answer));
  }

  void askAgain() {
    new LinkedHashMap<>(reads).forEach(this::ask);
  }

  /** Asks again what has no answer for long (Lost messages). */
  void askOverdue() {
    long now = node.outbox().nowNanos();
    for (Map.Entry<Long, Open> e : new LinkedHashMap<>(reads).entrySet()) {
      if (now - e.getValue().askedAt >= node.config().resendNanos()) {
        Open again = e.getValue().askedAgain(now);
        reads.put(e.getKey(), again);
        ask(e.getKey(), again);
      }
    }
  }

  /** A transaction's commit was applied: its turns at what it has written went on with that. */
  void onCommitted(CommitAttempt attempt) {
    turns.onCommitted(attempt);
  }

  /** Forgets a transaction's reads; its turns are over. */
  void end(long transaction) {
    reads.values().removeIf(read -> read.transaction == transaction);
    turns.endAll(transaction);
  }

  /** A transaction has run for too long: what it waits for is answered so, and its turns end. */
  void endOld(long transaction) {
    new LinkedHashMap<>(reads)
        .forEach((request, read) -> {
          if (read.transaction == transaction) {
            reads.remove(request);
            answer(request, read.shard, read.clock, new ReadAnswer.TooOld());
          }
        });
    turns.endAll(transaction);
  }

  /** Nobody will answer any more. */
  void halt() {
    reads.forEach((request, read) ->
        answer(request, read.shard, read.clock, new ReadAnswer.Unavailable(read.shard)));
    reads.clear();
    turns.clear();
  }
}
