package io.canopygrid.gmu.protocol.membership;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topology installed here, and since when each node has held its copies without a break.
 *
 * <p>Topologies may be missed: ids grow but need not be dense. The following then holds, and is
 * assumed: nothing that needs a flush can have happened in a topology that a live member missed, as
 * its flush was missing; a member that was dropped comes back under a new node id; and a node
 * becomes an owner only after it was a learner and said so. Therefore an owner in the newer
 * topology has held its copy all the time, while a learner may have lost and regained the role
 * unnoticed. So after a gap answers of before do not count any more (everything is sent again,
 * which is harmless) and a learner starts its copy over.
 */
public final class Placements {
  /** The id of the first topology of a grid that nothing was before. */
  private static final long FIRST_ID = 1;

  private final NodeId self;
  private Topology topology;
  private Map<Replica, Long> since = Map.of();

  /** The id of the grid's first topology. */
  private long first = FIRST_ID;

  /** The id of the newest topology that the grid is known to have been founded with. */
  private long founded = FIRST_ID;

  /** The topologies over which the grid was founded. */
  private List<Topology> foundedOver = List.of();

  /**
   * Before the first topology: a grid without members and owners.
   *
   * @param shards how many there are, TOP among them
   */
  public Placements(NodeId self, int shards) {
    this.self = self;
    Placement nowhere = new Placement(List.of(), List.of());
    this.topology = new Topology(0, List.of(), Collections.nCopies(shards, nowhere));
  }

  /** The topology installed last; before the first one without members and owners. */
  public Topology topology() {
    return topology;
  }

  /** The id of the topology installed last, 0 before the first. */
  public long id() {
    return topology.id();
  }

  /** The grid is founded with the topology of this id, over some that were before. */
  public void beginsWith(long founding, List<Topology> over) {
    Invariant.holds(id() == 0, "%s is founded after topology %s", founding, id());
    first = founding;
    founded = founding;
    foundedOver = List.copyOf(over);
  }

  /**
   * The topologies from which others could found a grid while not all have installed this one, the
   * first that is installed here; null: the grid was there before.
   */
  public @Nullable List<Topology> foundedOver(long installed) {
    return installed == first ? foundedOver : null;
  }

  /** Another member knows a founding of the grid. */
  public void hearFounded(long topology) {
    founded = Math.max(founded, topology);
  }

  /**
   * The id of the topology that the grid was founded with last. Copies on disks that were complete
   * before that need not be of this grid's past (Coming back).
   */
  public long founded() {
    return founded;
  }

  /** Whether the grid begins with the topology installed here. */
  public boolean isFirst() {
    return id() == first;
  }

  /** Installs a topology; true where ids between it and the last one may have been missed. */
  public boolean install(Topology next) {
    boolean gap = skipsSome(next);
    Map<Replica, Long> kept = new HashMap<>();
    for (int s = 0; s < next.shards().size(); s++) {
      for (NodeId node : replicas(next, s)) {
        Replica replica = new Replica(node, s);
        Long began = gap ? null : since.get(replica);
        kept.put(replica, began == null ? next.id() : began);
      }
    }
    topology = next;
    since = kept;
    return gap;
  }

  /**
   * Whether topologies before this one may have been missed (Skipped topologies): after a gap old
   * answers do not count, and learners begin anew.
   */
  boolean skipsSome(Topology next) {
    return id() > 0 && next.id() > id() + 1;
  }

  public List<NodeId> members() {
    return topology.members();
  }

  public boolean isMember(NodeId node) {
    return members().contains(node);
  }

  /** The node that serves a shard; null where it has no owner. */
  public @Nullable NodeId primary(int shard) {
    List<NodeId> owners = owners(shard);
    return owners.isEmpty() ? null : owners.get(0);
  }

  public List<NodeId> owners(int shard) {
    return topology.shard(shard).owners();
  }

  public boolean isPrimary(int shard) {
    return self.equals(primary(shard));
  }

  public boolean isLearner(int shard) {
    return topology.shard(shard).learners().contains(self);
  }

  /** Whether this node gets the state of any shard. */
  public boolean isLearner() {
    return topology.shards().stream().anyMatch(placed -> placed.learners().contains(self));
  }

  public boolean isOwner(int shard) {
    return topology.shard(shard).owners().contains(self);
  }

  public boolean isTop(int shard) {
    return topology.top() == shard;
  }

  /** Owners and learners of a shard: whoever must hear of a transaction. */
  public List<NodeId> replicas(int shard) {
    return replicas(topology, shard);
  }

  /**
   * Whether an answer still counts (Decide): one from before the node last became an owner or
   * learner of the shard does not, as its copy was dropped in between.
   *
   * @param answeredIn the topology of the answer; null: there is none
   */
  public boolean counts(Replica replica, @Nullable Long answeredIn) {
    long began = Invariant.present(since.get(replica), "no replica, and asked for its answer");
    return answeredIn != null && answeredIn >= began;
  }

  private static List<NodeId> replicas(Topology topology, int shard) {
    Placement placement = topology.shard(shard);
    if (placement.learners().isEmpty()) {
      return placement.owners();
    }
    List<NodeId> all = new ArrayList<>(placement.owners());
    all.addAll(placement.learners());
    return all;
  }
}
