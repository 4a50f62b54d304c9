package io.canopygrid.gmu.node;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.protocol.ProtocolNode;
import org.jspecify.annotations.Nullable;

/** What a {@link LaneTransaction} asks of its node. */
public interface TransactionSteps {
  /** The answer where this node's own primary has it at hand, else null. Does not block. */
  ProtocolNode.@Nullable LocalRead tryRead(ReadQuery query, VectorClock clock, ShardSet hasRead);

  /** The answer where this node's own copy, a backup's perhaps, is known to have it, else null. */
  ProtocolNode.@Nullable LocalRead tryReadNearest(
      ReadQuery query, VectorClock clock, ShardSet hasRead);

  ShardMap shardMap();

  /** Asks the shard's primary and waits; null past the deadline. */
  ProtocolNode.@Nullable LocalRead read(
      long transaction, ReadQuery query, VectorClock clock, ShardSet hasRead, long deadlineNanos)
      throws InterruptedException;

  /** Commits and waits; unknown past the deadline. */
  Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos)
      throws InterruptedException;

  /** Forgets a transaction that is not being committed. */
  void end(long transaction);
}
