package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line in the log for each member that comes, leaves in order, or is lost, with its address and
 * what the grid has then. Thread-safe.
 */
final class MemberLog {
  private static final Logger LOG = LoggerFactory.getLogger(MemberLog.class);

  private final String grid;
  private final NodeId self;
  private final int owners;
  private final Function<NodeId, String> addressOf;

  // Guarded by this object.
  private final Map<NodeId, String> addresses = new HashMap<>();
  private final Set<NodeId> leaving = new HashSet<>();
  private List<NodeId> members = List.of();

  /**
   * The log of one node.
   *
   * @param owners how many copies each shard is to have
   * @param addressOf the address of a member that is there
   */
  MemberLog(String grid, NodeId self, int owners, Function<NodeId, String> addressOf) {
    this.grid = grid;
    this.self = self;
    this.owners = owners;
    this.addressOf = addressOf;
  }

  /** A member has asked to leave. */
  synchronized void leaves(NodeId member) {
    leaving.add(member);
  }

  /** This node has installed a topology. */
  synchronized void installed(Topology topology) {
    List<NodeId> before = members;
    members = topology.members();
    for (NodeId member : members) {
      addresses.computeIfAbsent(member, addressOf);
      if (!before.contains(member) && !before.isEmpty() && !member.equals(self)) {
        tell(member, "has joined", topology);
      }
    }
    for (NodeId member : before) {
      if (!members.contains(member)) {
        tell(member, leaving.remove(member) ? "has left in order" : "was lost", topology);
        addresses.remove(member);
      }
    }
  }

  private void tell(NodeId member, String what, Topology topology) {
    int copies = Math.min(owners, topology.members().size());
    int missing =
        topology.shards().stream()
            .limit(topology.top())
            .mapToInt(shard -> Math.max(0, copies - shard.owners().size()))
            .sum();
    LOG.warn(
        "grid '{}': {} {} {}; members: {}, copies to be made: {}",
        grid,
        member,
        addresses.get(member),
        what,
        topology.members().size(),
        missing);
  }
}
