package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.DataPlace;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/** A member of the grid as the layers above see it. Thread-safe. */
public interface GmuNode extends AutoCloseable {
  NodeId self();

  /** The topology installed last. */
  Topology topology();

  /** The members of that topology that this node can reach now, and the others. */
  default GridView view() {
    return GridView.complete(topology());
  }

  /** The place where it keeps its data; the same as long as it is there. */
  default DataPlace dataPlace() {
    return DataPlace.MEMORY;
  }

  /** The memory that its entries take. */
  default MemoryFigures entryMemory() {
    return MemoryFigures.NONE;
  }

  /** The past that its copies keep, and what keeps it. */
  default HeldVersions heldVersions() {
    return HeldVersions.NONE;
  }

  /** The hot entries that this node serves, and those of others that it keeps. */
  default HotFigures hotEntries() {
    return HotFigures.NONE;
  }

  /**
   * For how long the oldest of its changes has waited for its disk, in nanoseconds, as it was known
   * a moment ago; 0: none waits, or it has no disk.
   */
  default long unstoredNanos() {
    return 0;
  }

  /** Whether copies of shards come to this node, or to others that take over what it had. */
  default boolean isHandingOver() {
    return false;
  }

  /** The level of the grid as this node knows it. The layer above tells it what TOP says. */
  default GridLevel level() {
    return new GridLevel();
  }

  /** The map from kcls to shards. */
  ShardMap shardMap();

  /**
   * Begins at the maximum of the token and this node's floor.
   *
   * @throws ForeignClockException where the token names what this grid has not given
   * @throws CommitsLostException where a power cut may have taken what the token has seen
   * @throws UnknownClockException where no owner says in time whether the grid has
   */
  GmuTransaction begin(VectorClock token, long deadlineNanos);

  /**
   * For a transaction that does not begin with the session's clock, as one at a pinned clock: the
   * clock of that would hide in the session's what was lost. Does not block.
   *
   * @throws CommitsLostException where a power cut may have taken what the clock has seen
   */
  void requireKept(VectorClock clock);

  /** Whether {@link #begin} with this token asks no other node. Does not block. */
  default boolean beginsAtHand(VectorClock token) {
    return false;
  }

  /**
   * Begins in the state of all shards at a clock, for reads only. Where the horizon has passed it
   * they are answered {@link io.canopygrid.gmu.ReadAnswer.TooOld}.
   *
   * @param isPinned whether a pin holds the horizon at the clock ({@link io.canopygrid.gmu.Pin}):
   *     then the transaction never becomes too old by its age
   * @throws ForeignClockException as {@link #begin} does
   * @throws CommitsLostException as {@link #begin} does
   * @throws UnknownClockException as {@link #begin} does
   */
  GmuTransaction beginAt(VectorClock clock, boolean isPinned, long deadlineNanos);

  /**
   * The number of times that this grid was founded without its last commits, which a power cut had
   * taken. A counter in TOP goes back then. Never less than when a transaction began that can
   * commit.
   */
  default int cuts() {
    return 0;
  }

  /**
   * This node's newest copy of TOP, for dirty reads: it may lag behind TOP's primary and have gaps.
   * Immutable; empty while this node has no copy yet.
   */
  OrderedView<VersionChain> top();

  /**
   * The number of live entries in this node's copy of a kcl, without the header; 0 without a copy.
   */
  default long entries(long kcl) {
    return size(kcl).entries();
  }

  /**
   * The commits of a shard between two snapshots, where this node is its primary. A transaction
   * must hold the horizon at or below the first one. Does not block.
   */
  default ChangeAnswer changes(ChangeQuery query, ChangeFilter filter) {
    return new ChangeAnswer.NotHere();
  }

  /** The size of this node's copy of a kcl; {@link KclSize#NONE} without a copy. */
  KclSize size(long kcl);

  /**
   * Names the entry of TOP that tells this grid from others. A node that joins again after it was
   * cut off does so only where the entry has this value: all other nodes may have been started
   * anew, and be of another grid, of which nothing that the callers have seen is true.
   */
  default void belongsWhere(CompositeKey key, byte[] value) {}

  /** Names the one listener that hears what the primaries at this node are used for. */
  void tellTraffic(Traffic listener);

  /** Called, on a thread that must not block, when a commit made a kcl grow that is served here. */
  void onGrowth(GrowthListener listener);

  /** Whether it is a member, and serves every shard that it is the primary of. */
  default boolean isReady() {
    return topology().members().contains(self());
  }

  /** Why this node has ended by itself and for good; null: it has not. Any thread may ask. */
  default @Nullable Throwable failure() {
    return null;
  }

  /** Questions of the layer above to and from other members. */
  default NodeCalls calls() {
    return NodeCalls.NONE;
  }

  /**
   * The age, at the last tick, of the oldest transaction that began here and has not ended, to the
   * tick before it; 0: it began later, or there is none. All nodes keep the versions that it may
   * still read. Any thread may ask.
   */
  long oldestTransactionNanos();

  /** Counters since the start. */
  GmuCounters counters();

  /** The time in which deadlines are given, and the threads that wait and work in it. */
  default NodeThreads threads() {
    return MachineThreads.SHARED;
  }

  /**
   * Waits, and goes on serving, until the grid loses nothing when this node leaves; for a bounded
   * time.
   */
  default void prepareToLeave() {}

  /**
   * Waits, and goes on serving, until the grid loses nothing when this node leaves and does not
   * come back; for a bounded time. A {@link #close} then leaves for good: where the node has a
   * disk, its content counts no longer.
   *
   * @throws LeaveException the others cannot do without it: it stays
   */
  default void prepareToLeaveForGood() {}

  /** Lets a close wait for nothing, now or later: what only this node has is given up. */
  default void abandon() {}

  /**
   * Leaves the grid, after {@link #prepareToLeave}.
   *
   * @throws LeaveException where it has left, and data may be lost
   */
  @Override
  void close();

  /** Hears of growth. */
  interface GrowthListener {
    void grew(long kcl, long entries);
  }
}
