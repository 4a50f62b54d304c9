package io.canopygrid.btree.check;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Finds out whether a shard serves: reads one entry there and commits a write of it. The entries,
 * one for each node and shard, belong to no index; no subtree gets their kcls.
 */
public final class ShardProbe {
  private static final String LABEL = "canopy.probe";

  private ShardProbe() {}

  /**
   * Returns once the shard has committed.
   *
   * @param shard TOP among them
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}; {@link
   *     ErrorCode#LOCK_TIMEOUT} where it refused
   */
  public static void run(GmuNode node, int shard, long deadlineNanos) {
    byte[] name = ByteBuffer.allocate(Long.BYTES).putLong(node.self().value()).array();
    long kcl =
        shard == node.shardMap().top() ? ReservedKcl.PROBE.kcl() : node.shardMap().kclIn(shard);
    CompositeKey key = CompositeKey.of(kcl, name);
    try {
      GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
      try {
        run(transaction, new Write(key, name, null), shard);
      } finally {
        transaction.end();
      }
    } catch (TimeoutException e) {
      throw Failures.timeout(null, e);
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  private static void run(GmuTransaction transaction, Write write, int shard)
      throws TimeoutException {
    ReadAnswer answer = transaction.read(new ReadQuery.Get(write.key()));
    if (!(answer instanceof ReadAnswer.Got)) {
      throw Failures.unanswered(answer, null);
    }
    check(transaction.commit(new Footprint(List.of(), List.of(), List.of(write)), LABEL), shard);
  }

  private static void check(Outcome outcome, int shard) {
    if (outcome instanceof Outcome.Unknown) {
      throw new CanopyException(
          ErrorCode.TIMEOUT, "shard " + shard + " did not answer", CommitState.UNKNOWN, null, null);
    }
    if (outcome instanceof Outcome.Aborted aborted) {
      ErrorCode code =
          aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE
              ? ErrorCode.SHARD_UNAVAILABLE
              : ErrorCode.LOCK_TIMEOUT;
      throw new CanopyException(code, "shard " + shard + " refused: " + aborted.reason());
    }
  }
}
