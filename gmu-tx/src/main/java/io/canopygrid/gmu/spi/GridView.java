package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The members that a node can reach now. A topology is what the members have last agreed on; where
 * most of them are gone at once there is no next one, and only a view tells.
 *
 * @param members the members of the topology installed last, oldest first
 * @param strangers nodes that are reachable and are no members: nodes that join, for example; where
 *     the Infinispan is an application's own, those that have asked to join
 * @param owners how many copies each shard is to have
 * @param awaited how many nodes have stopped with their disks, for which their shards are kept
 * @param available whether the grid goes on from this node's side
 */
public record GridView(
    List<Member> members, Set<NodeId> strangers, int owners, int awaited, boolean available) {
  public GridView {
    members = List.copyOf(members);
    strangers = Set.copyOf(strangers);
  }

  /**
   * A member.
   *
   * @param name for people; of one that is not reachable the last that was known
   * @param address where it listens to the other nodes; {@code -}: not known
   * @param zone where it is, as it says; empty: it does not say
   */
  public record Member(NodeId node, String name, String address, String zone, boolean reachable) {}

  /** The view of a grid whose members never change. */
  public static GridView complete(Topology topology) {
    List<Member> members =
        topology.members().stream()
            .map(node -> new Member(node, node.toString(), "-", "", true))
            .toList();
    return new GridView(members, Set.of(), 1, 0, true);
  }

  /** A member by its id; empty: it is none. */
  public Optional<Member> find(NodeId node) {
    return members.stream().filter(member -> member.node().equals(node)).findFirst();
  }

  /** Whether a node is a member and can be reached. */
  public boolean reaches(NodeId node) {
    return find(node).filter(Member::reachable).isPresent();
  }
}
