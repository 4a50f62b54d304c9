package io.canopygrid.btree.simulation;

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
import io.canopygrid.gmu.node.NodeThreads;
import io.canopygrid.gmu.store.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A node that commits something else than what it is asked to. */
class AlteredNode implements GmuNode {
  private final GmuNode node;
  private final Alteration alteration;

  AlteredNode(GmuNode node, Alteration alteration) {
    this.node = node;
    this.alteration = alteration;
  }

  /** Changes what is committed. */
  interface Alteration {
    /**
     * What is committed instead.
     *
     * @param split whether it is a step of a split
     */
    Footprint alter(Footprint footprint, boolean split);
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
        return transaction.read(query);
      }

      @Override
      public Outcome commit(Footprint footprint, String label) {
        boolean split = label.equals("canopy.split");
        return transaction.commit(alteration.alter(footprint, split), label);
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
  public OrderedView<VersionChain> top() {
    return node.top();
  }

  @Override
  public long entries(long kcl) {
    return node.entries(kcl);
  }

  @Override
  public void onGrowth(GrowthListener listener) {
    node.onGrowth(listener);
  }

  @Override
  public GmuCounters counters() {
    return node.counters();
  }

  @Override
  public NodeThreads threads() {
    return node.threads();
  }

  @Override
  public void close() {
    node.close();
  }
}
