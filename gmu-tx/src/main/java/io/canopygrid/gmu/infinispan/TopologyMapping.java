package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.transport.NodeIds;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.remoting.transport.Address;

/**
 * Reads the protocol's topology from Infinispan's: shard i is segment i.
 *
 * <p>A segment's <em>read owners</em> have the data: the owners, the first is the primary. In the
 * first phase of a rebalance (read old, write all) the other <em>write owners</em> are still
 * getting it: the learners. In the later phases the other write owners are those on their way out,
 * and have no role. Both hashes name members only; the caller sees to that.
 */
final class TopologyMapping {
  private TopologyMapping() {}

  /** The id of the node with this address. */
  static NodeId nodeId(Address address) {
    return NodeIds.of(address.getMostSignificantBits(), address.getLeastSignificantBits());
  }

  /** The id by which Infinispan knows the node with this address in what it stores. */
  static UUID storedId(Address address) {
    return new UUID(address.getMostSignificantBits(), address.getLeastSignificantBits());
  }

  /**
   * The topology.
   *
   * @param members those alive, in the order in which all nodes know them, the oldest first
   * @param read who has the data
   * @param write who gets the writes
   */
  static Topology map(
      long id, List<Address> members, ConsistentHash read, ConsistentHash write, boolean joining) {
    List<Topology.Placement> shards = new ArrayList<>();
    for (int segment = 0; segment < read.getNumSegments(); segment++) {
      shards.add(
          placement(
              read.locateOwnersForSegment(segment),
              joining ? write.locateOwnersForSegment(segment) : List.of()));
    }
    List<Address> topOwners = new ArrayList<>(members);
    topOwners.retainAll(read.getMembers());
    shards.add(placement(topOwners, members));
    return new Topology(id, nodeIds(members), shards);
  }

  private static Topology.Placement placement(List<Address> owners, List<Address> writeOwners) {
    List<Address> learners = new ArrayList<>(writeOwners);
    learners.removeAll(owners);
    return new Topology.Placement(nodeIds(owners), nodeIds(learners));
  }

  private static List<NodeId> nodeIds(List<Address> addresses) {
    List<NodeId> ids = new ArrayList<>(addresses.size());
    for (Address address : addresses) {
      ids.add(nodeId(address));
    }
    return ids;
  }
}
