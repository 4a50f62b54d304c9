package io.canopygrid.gmu.storage;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of what a node has stored. The changes of one step of the protocol are stored as a
 * whole, in their order; a put of what is there already changes nothing. Immutable.
 */
public sealed interface StorageChange {
  /** The length of the values that it has. */
  default long valueBytes() {
    return 0;
  }

  /**
   * Whether a recovery makes this change again from what was stored before it, if a crash takes it:
   * a commit is applied again from its decision, a record without one is aborted again, and garbage
   * is dropped again. Nothing that a node says waits for such a change.
   */
  default boolean isMadeAgain() {
    return false;
  }

  // ---- a shard's copy

  /** A copy of a shard begins: whatever was stored of an earlier one is gone. */
  record BeginCopy(int shard) implements StorageChange {}

  /**
   * A node goes on with the copy that a node before it has left: what is stored of it stays, and it
   * is not complete any more, as there may be newer commits.
   */
  record ResumeCopy(int shard) implements StorageChange {}

  /** A copy has all that its shard had: from now on it counts as an owner's. */
  record CompleteCopy(int shard) implements StorageChange {}

  /** The node has no copy of a shard any more. */
  record EndCopy(int shard) implements StorageChange {}

  /**
   * A version of a key. Its clock is that of the log entry with its number and transaction; where
   * there is none, the version is below the horizon.
   *
   * @param writer the transaction whose write it is; not {@code tid} where the entry was moved
   * @param value not to be changed; null: a tombstone
   */
  record PutVersion(
      int shard,
      CompositeKey key,
      long sequenceNumber,
      TxId tid,
      TxId writer,
      byte @Nullable [] value)
      implements StorageChange {
    @Override
    public long valueBytes() {
      return value == null ? 0 : value.length;
    }

    @Override
    public boolean isMadeAgain() {
      return true;
    }
  }

  /** A version that no snapshot can need. */
  record DropVersion(int shard, CompositeKey key, long sequenceNumber, TxId tid)
      implements StorageChange {
    @Override
    public boolean isMadeAgain() {
      return true;
    }
  }

  /** A commit that a shard has applied. */
  record PutLog(int shard, long sequenceNumber, TxId tid, VectorClock clock)
      implements StorageChange {
    @Override
    public boolean isMadeAgain() {
      return true;
    }
  }

  /** A log entry that has fallen below the horizon. */
  record DropLog(int shard, long sequenceNumber, TxId tid) implements StorageChange {
    @Override
    public boolean isMadeAgain() {
      return true;
    }
  }

  /** A transaction is prepared at a shard. */
  record PutRecord(TxRecord rec) implements StorageChange {
    @Override
    public long valueBytes() {
      return rec.footprint().valueBytes();
    }
  }

  /** A transaction that was prepared at a shard is applied there, or aborted. */
  record DropRecord(int shard, TxId tid) implements StorageChange {
    @Override
    public boolean isMadeAgain() {
      return true;
    }
  }

  /**
   * A copy has every commit up to a number, and no other one will come at or below it. A copy that
   * begins, or ends, has none.
   *
   * @param topology the one in which the node knows that
   */
  record PutWatermark(int shard, long topology, long number) implements StorageChange {}

  // ---- the node

  /** A decision to commit; an abort is not stored, as what has no decision aborts. */
  record PutDecision(Decision decision) implements StorageChange {
    @Override
    public long valueBytes() {
      long bytes = 0;
      for (int i = 0; i < decision.records().size(); i++) {
        bytes += decision.records().get(i).footprint().valueBytes();
      }
      return bytes;
    }
  }

  /** A decision that nobody needs any more. */
  record DropDecision(TxId tid) implements StorageChange {}

  /** All transactions of a coordinator below this counter are done: their decisions are gone. */
  record PutMark(NodeId coordinator, long below) implements StorageChange {}

  /**
   * The node has installed a topology; its id is above those of all before.
   *
   * @param over the topologies before it from which others could found a grid as long as not all of
   *     its members have installed it; null: the node has joined in this topology, and does not
   *     know them
   */
  record PutTopology(Topology topology, @Nullable List<Topology> over) implements StorageChange {
    public PutTopology {
      over = over == null ? null : List.copyOf(over);
    }
  }

  /** All members of the topology that was installed last have installed it. */
  record PutInstalledByAll(long topology) implements StorageChange {}

  /** No clock in use is below this one; versions below may be gone. */
  record PutHorizon(VectorClock horizon) implements StorageChange {}

  /** The node is about to join a grid under this id; topologies name it by that. */
  record PutUser(NodeId user) implements StorageChange {}

  /** The node founds a grid in a topology with this id, and no other one up to it. */
  record PutPromise(long topology) implements StorageChange {}

  /**
   * The cuts that the grid has made after power cuts, all of them, instead of those known before.
   */
  record PutCuts(List<Cut> cuts) implements StorageChange {
    public PutCuts {
      cuts = List.copyOf(cuts);
    }
  }
}
