package io.canopygrid.btree.serve;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a grid as one node sees it now.
 *
 * @param node the node that sees it
 * @param topology the number of the topology that it installed last
 * @param shards of the grid, without TOP
 * @param owners how many copies each shard is to have
 * @param ready whether this node serves, and TOP answers it
 * @param waiting how many reachable nodes are no members
 * @param members of that topology, oldest first
 * @param indexes of users by name
 */
public record GridStatus(
    String node,
    long topology,
    int shards,
    int owners,
    boolean ready,
    int waiting,
    List<Node> members,
    List<IndexSize> indexes) {
  /** Copies the lists. */
  public GridStatus {
    members = List.copyOf(members);
    indexes = List.copyOf(indexes);
  }

  /**
   * A member.
   *
   * @param facts what it says of itself; null: it does not answer
   */
  public record Node(GridMember member, @Nullable NodeFacts facts) {}

  /**
   * The size of an index.
   *
   * @param entries of the subtrees whose nodes answer
   * @param complete whether all of them do
   */
  public record IndexSize(String name, long entries, boolean complete) {}
}
