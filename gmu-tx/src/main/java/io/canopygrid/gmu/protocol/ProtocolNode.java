package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.store.OrderedStore;
import io.canopygrid.gmu.store.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node's side of the protocol, without threads, clocks or I/O: each input appends to a list of
 * {@link Effect}s what the host must do next. Confined to one lane: one call at a time, except
 * {@link #tryRead}, which any thread may call at any time.
 */
public final class ProtocolNode {
  public ProtocolNode(
      NodeId self, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    throw new UnsupportedOperationException("contract only");
  }

  /** A topology was installed; its id is above all before. */
  public void onTopology(Topology topology, long nowNanos, List<Effect> effects) {}

  public void onMessage(NodeId source, Message message, long nowNanos, List<Effect> effects) {}

  public void onTimer(Effect.Timer timer, long nowNanos, List<Effect> effects) {}

  /** At times: send the mark and the horizon report. */
  public void onTick(long nowNanos, List<Effect> effects) {}

  /** Begins a transaction at the maximum of the token and the floor: its handle and clock. */
  public Begun begin(VectorClock token) {
    throw new UnsupportedOperationException("contract only");
  }

  /** Reads for a local transaction; the answer is an {@link Effect.Answer}, at once or later. */
  public void read(
      long transaction,
      long request,
      ReadQuery query,
      VectorClock clock,
      ShardSet hasRead,
      long nowNanos,
      List<Effect> effects) {}

  /**
   * Commits; the outcome is an {@link Effect.Ended}. May be called again after MOVED,
   * TOPOLOGY_CHANGED and LOCK_TIMEOUT.
   */
  public void commit(
      long transaction,
      VectorClock clock,
      Footprint footprint,
      String label,
      long nowNanos,
      List<Effect> effects) {}

  /** Forgets a transaction that is not being committed. */
  public void end(long transaction) {}

  /**
   * Reads at this node's own primary without entering the lane, on any thread: null where the lane
   * must be asked (not the serving primary in this topology, or a commit must be awaited).
   */
  public @Nullable LocalRead tryRead(
      long topology, ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return null;
  }

  /**
   * This node's newest copy of a shard, with whatever gaps it has; empty without a copy. May be
   * called on any thread.
   */
  public OrderedView<VersionChain> view(int shard) {
    throw new UnsupportedOperationException("contract only");
  }

  /**
   * How many live entries this node's copy of a kcl has, the header left out; 0 without a copy. May
   * be called on any thread.
   */
  public long entries(long kcl) {
    return 0;
  }

  /**
   * Whether this node can leave without a loss: its flush is complete, it coordinates nothing, and
   * all decisions that it knows are done.
   */
  public boolean drained() {
    return true;
  }

  /** A begun transaction. */
  public record Begun(long transaction, VectorClock clock) {}

  /** An answer and the snapshot's clock after it. */
  public record LocalRead(int shard, VectorClock clock, ReadAnswer answer) {}
}
