package io.canopygrid.btree.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.simulation.ForwardingTransaction;

/** A node that commits something else than what it is asked to. */
class AlteredNode extends ForwardingNode {
  private final GmuNode node;
  private final Alteration alteration;

  AlteredNode(GmuNode node, Alteration alteration) {
    this.node = node;
    this.alteration = alteration;
  }

  @Override
  protected GmuNode node() {
    return node;
  }

  /** Changes what is committed. */
  interface Alteration {
    /**
     * The footprint that is committed instead.
     *
     * @param split whether it is a step of a split
     */
    Footprint alter(Footprint footprint, boolean split);
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    return new ForwardingTransaction(super.begin(token, deadlineNanos)) {
      @Override
      public Outcome commit(Footprint footprint, String label) {
        boolean split = label.equals("canopy.shift");
        return super.commit(alteration.alter(footprint, split), label);
      }
    };
  }
}
