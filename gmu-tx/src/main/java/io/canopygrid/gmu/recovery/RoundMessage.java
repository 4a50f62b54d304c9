package io.canopygrid.gmu.recovery;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The messages of nodes that agree how to found their grid from their disks. Immutable. */
public sealed interface RoundMessage {
  /** The content of the sender's disk. */
  record Tells(Standing standing) implements RoundMessage {}

  /** The leader asks the receiver to promise a founding. */
  record Proposes(Proposal proposal) implements RoundMessage {}

  /** The sender has promised the founding with this topology. */
  record Promises(long topology) implements RoundMessage {}

  /** All have promised: the grid is founded so. */
  record Agrees(Proposal proposal) implements RoundMessage {}

  /**
   * A founding. Nodes are named by the ids that they have now.
   *
   * @param topology the id of the founding topology
   * @param grid the grid that is founded
   * @param members the nodes whose disks count, in the order of their former membership
   * @param owners by shard the members that own it, the first is the primary
   * @param over the topologies from which others could found a grid until all members have
   *     installed this one
   * @param seen transactions begin there
   * @param losses the words of operators by which it is founded
   * @param cut the part of all commits that is kept; null: all are
   */
  record Proposal(
      long topology,
      UUID grid,
      List<NodeId> members,
      List<List<NodeId>> owners,
      List<Topology> over,
      VectorClock seen,
      Losses losses,
      @Nullable Cut cut) {
    public Proposal {
      over = List.copyOf(over);
      members = List.copyOf(members);
      owners = owners.stream().map(List::copyOf).toList();
    }
  }
}
