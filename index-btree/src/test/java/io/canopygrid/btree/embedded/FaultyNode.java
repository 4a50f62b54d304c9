package io.canopygrid.btree.embedded;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.store.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node whose crown can be held back, and whose answers a test can replace. It is one of two faces
 * of the node it stands for, which it does not close, and hears of no growth.
 */
final class FaultyNode implements GmuNode {
  private final GmuNode node;
  private volatile @Nullable OrderedView<VersionChain> top;
  private volatile Function<ReadQuery, @Nullable ReadAnswer> reads = query -> null;
  private final Queue<Outcome> outcomes = new ArrayDeque<>();

  FaultyNode(GmuNode node) {
    this.node = node;
  }

  /** From now on this is the crown; null: the real one. */
  void holdTop(@Nullable OrderedView<VersionChain> view) {
    top = view;
  }

  /** Answers instead of the node where the function's result is not null. */
  void answer(Function<ReadQuery, @Nullable ReadAnswer> function) {
    reads = function;
  }

  /** The next commits end like this, and are not done. */
  void end(Outcome... next) {
    outcomes.addAll(java.util.List.of(next));
  }

  static Outcome aborted(Outcome.AbortReason reason) {
    return new Outcome.Aborted(reason, null, null, null, null);
  }

  @Override
  public GmuTransaction beginAt(VectorClock pinned, long deadlineNanos) {
    return node.beginAt(pinned, deadlineNanos);
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    GmuTransaction transaction = node.begin(token, deadlineNanos);
    return new GmuTransaction() {
      @Override
      public ReadAnswer read(ReadQuery query) throws TimeoutException {
        ReadAnswer answer = reads.apply(query);
        return answer != null ? answer : transaction.read(query);
      }

      @Override
      public Outcome commit(Footprint footprint, String label) {
        Outcome outcome = outcomes.poll();
        return outcome != null ? outcome : transaction.commit(footprint, label);
      }

      @Override
      public void readNearest() {
        transaction.readNearest();
      }

      @Override
      public long asked() {
        return transaction.asked();
      }

      @Override
      public @Nullable ReadAnswer fixAll() throws TimeoutException {
        return transaction.fixAll();
      }

      @Override
      public void end() {
        transaction.end();
      }

      @Override
      public VectorClock clock() {
        return transaction.clock();
      }
    };
  }

  @Override
  public OrderedView<VersionChain> top() {
    OrderedView<VersionChain> held = top;
    return held != null ? held : node.top();
  }

  @Override
  public NodeId self() {
    return node.self();
  }

  @Override
  public Topology topology() {
    return node.topology();
  }

  @Override
  public ShardMap shardMap() {
    return node.shardMap();
  }

  @Override
  public long entries(long kcl) {
    return node.entries(kcl);
  }

  @Override
  public void onGrowth(GrowthListener listener) {}

  @Override
  public GmuCounters counters() {
    return node.counters();
  }

  @Override
  public void close() {}
}
