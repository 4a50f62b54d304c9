package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.gmu.ReadQuery.Turn;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The key at which a transaction waits for its turn, and the key that it lost to another one. Reads
 * of single keys go through here where they are remembered. Confined to the transaction's thread.
 */
final class KeyTurn {
  private final Snapshot snapshot;
  private final TransactionContext context;

  /** A key that was changed after this transaction had read it, which ended it. */
  private @Nullable Place lost;

  /** Where it takes its turn; null: nowhere. */
  private @Nullable Place turn;

  /** The read that was made there as the turn came; it counts only once a caller reads the key. */
  private Snapshot.@Nullable PointRead ahead;

  /** A key of an index. */
  private record Place(IndexRef index, byte[] key) {}

  KeyTurn(Snapshot snapshot, TransactionContext context) {
    this.snapshot = snapshot;
    this.context = context;
  }

  /** Another transaction has changed a key that this one had read by itself. */
  void lost(IndexRef index, byte[] key) {
    lost = new Place(index, key);
  }

  boolean hasLostKey() {
    return lost != null;
  }

  /**
   * The key that an earlier attempt has lost is read at once, before anything fixes the snapshot in
   * its shard. If it were read later, its value could be as old as the reads before it in that
   * shard.
   */
  void queueAfter(KeyTurn failed) {
    Place wanted = failed.lost;
    if (wanted == null) {
      return;
    }
    turn = wanted;
    try {
      ahead = snapshot.get(wanted.index, wanted.key, Turn.OWN);
    } catch (TimeoutException e) {
      throw context.timeout(e);
    } catch (RuntimeException e) {
      throw context.failure(e);
    }
  }

  /** The first read of a key will wait for its turn. */
  void queueAt(IndexRef index, byte[] key) {
    turn = new Place(index, key);
  }

  /** The same where this node has it at hand and there is no turn to wait for; else null. */
  Snapshot.@Nullable PointRead readAtHand(IndexRef index, byte[] key) throws TimeoutException {
    return turn == null ? snapshot.getAtHand(index, key, Turn.BEHIND_OTHERS) : null;
  }

  /** A key as it is in the snapshot. */
  Snapshot.PointRead read(IndexRef index, byte[] key) throws TimeoutException {
    Place own = turn;
    if (own == null || own.index.number() != index.number() || !Arrays.equals(own.key, key)) {
      return snapshot.get(index, key, Turn.BEHIND_OTHERS);
    }
    return ahead != null ? ahead : snapshot.get(index, key, Turn.OWN);
  }
}
