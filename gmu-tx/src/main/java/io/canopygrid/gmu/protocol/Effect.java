package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step that the host must take next, in the order given. */
public sealed interface Effect {
  /**
   * Store what the step has changed, as a whole and after all positions before it, and call {@code
   * onStored} with the position then. Only of a node that stores what it has.
   *
   * @param position counts the steps with changes, from 1
   * @param isReliedOn whether something that the node says waits for it; else it may be stored
   *     together with a later one
   */
  record Store(long position, List<StorageChange> changes, boolean isReliedOn) implements Effect {}

  /** Send a message to another node (never to this one). */
  record Send(NodeId to, Message message) implements Effect {}

  /** Give a local transaction the answer to its read number {@code request}, and its new clock. */
  record Answer(long request, int shard, VectorClock clock, ReadAnswer answer) implements Effect {}

  /**
   * Tell a local transaction how its commit ended.
   *
   * @param onePhase it was committed in one phase
   * @param tid the id under which it was prepared; null: it was not
   */
  record Ended(long transaction, Outcome outcome, boolean onePhase, @Nullable TxId tid)
      implements Effect {
    public Ended(long transaction, Outcome outcome) {
      this(transaction, outcome, false, null);
    }
  }

  /**
   * Give the caller that asked with this number what one owner says of a clock from outside.
   *
   * @param given as in {@link Message.NumbersTold}
   * @param last as there
   */
  record Numbers(long request, VectorClock given, ShardSet last) implements Effect {}

  /** Call {@code onTimer} with this timer at the given time. */
  record WakeAt(long nanos, Timer timer) implements Effect {}

  /**
   * Read values from the disk, and call {@code onLoaded} with this number and what was read. On a
   * thread that may wait for the disk.
   */
  record Load(long number, List<VersionId> versions) implements Effect {}

  /**
   * Read the versions of a closed copy from the disk, and call {@code onOpened} with them, some at
   * a time. On a thread that may wait for the disk.
   *
   * @param number of the question
   * @param valueBytesMax as in {@link io.canopygrid.gmu.storage.Storage#open}
   */
  record Open(long number, int shard, long valueBytesMax) implements Effect {}

  /** This node's copy of a shard that it is joining is complete in this topology. */
  record Synced(long topology, int shard) implements Effect {}

  /** A kcl served here has grown to this many live entries. */
  record Grew(long kcl, long entries) implements Effect {}

  /**
   * Half of the numbers that a shard's primary can give in a topology are given. Another topology,
   * whatever it changes, brings new ones; without it writes to the shard will be refused.
   */
  record NumbersRunOut(long topology, int shard) implements Effect {}

  /** A value that the host hands back when it is time. */
  sealed interface Timer {
    int shard();
  }

  /** A lock wait that runs out. */
  record LockTimer(TxId tid, int shard) implements Timer {}

  /** A turn at a key that has lasted long enough. */
  record TurnTimer(int shard, CompositeKey key) implements Timer {}

  /** Pushes to the keepers of a shard's hot copies. */
  record HotTimer(int shard) implements Timer {}
}
