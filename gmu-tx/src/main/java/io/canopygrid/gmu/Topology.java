package io.canopygrid.gmu;

import java.util.List;

/**
 * The members of the grid, and the owners and learners of each shard. Ids only grow.
 *
 * @param id at least 1
 * @param members all members, oldest first
 * @param shards by shard number, TOP last
 */
public record Topology(long id, List<NodeId> members, List<Placement> shards) {
  public Topology {
    members = List.copyOf(members);
    shards = List.copyOf(shards);
  }

  /** The shard that every member owns. */
  public int top() {
    return shards.size() - 1;
  }

  public Placement shard(int shard) {
    return shards.get(shard);
  }

  /**
   * Where one shard is.
   *
   * @param owners have the data; the first is the primary. Empty: the shard is unavailable
   * @param learners are still getting it; none is an owner
   */
  public record Placement(List<NodeId> owners, List<NodeId> learners) {
    public Placement {
      owners = List.copyOf(owners);
      learners = List.copyOf(learners);
    }

    public boolean isHeldBy(NodeId node) {
      return owners.contains(node) || learners.contains(node);
    }
  }
}
