package io.canopygrid.gmu.infinispan;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.recovery.GridFounding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The placement with which a grid is founded by nodes that have its shards already.
 *
 * <p>Nodes are named by the ids that they have now. A node that ends and starts again has another
 * id, and was not asked: so a founding is void once one of its members has gone.
 *
 * @param base the highest id of a topology that was ever installed or promised in this grid, 0 to
 *     {@value #BASE_MAX}
 * @param members the nodes, at least one, of which each has TOP; the first one is TOP's primary
 * @param owners for each shard but TOP the members that have it, at least one, the primary first
 * @param grid the grid that is founded
 * @param over as in {@link GridFounding}
 * @param seen as in {@link GridFounding}
 * @param cut as in {@link GridFounding}
 */
record FoundingPlacement(
    long base,
    List<NodeId> members,
    List<List<NodeId>> owners,
    UUID grid,
    List<Topology> over,
    VectorClock seen,
    @Nullable Cut cut) {
  /** Infinispan counts topologies by an {@code int}; this leaves a billion for the grid to come. */
  static final long BASE_MAX = 1L << 30;

  FoundingPlacement {
    members = List.copyOf(members);
    over = List.copyOf(over);
    owners = owners.stream().map(List::copyOf).toList();
    if (base < 0 || base > BASE_MAX) {
      throw new IllegalArgumentException("must be 0 to " + BASE_MAX + ": base=" + base);
    }
    if (members.isEmpty() || isRepeating(members)) {
      throw new IllegalArgumentException("must be nodes, each of them once: members=" + members);
    }
    for (int shard = 0; shard < owners.size(); shard++) {
      List<NodeId> copies = owners.get(shard);
      if (copies.isEmpty() || isRepeating(copies) || !members.containsAll(copies)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "must be members, each of them once: owners of shard %d=%s",
                shard,
                copies));
      }
    }
  }

  private static boolean isRepeating(List<NodeId> nodes) {
    return new HashSet<>(nodes).size() < nodes.size();
  }

  /** The id of the founding topology. */
  int id() {
    return Math.toIntExact(base + 1);
  }

  /** The founding as the members' protocol needs to know it. */
  GridFounding founding() {
    return new GridFounding(id(), over, seen, cut);
  }

  /** Whether a shard has fewer copies than it is to have, and could have at these members. */
  boolean lacksCopies(int copies) {
    int most = Math.min(copies, members.size());
    return owners.stream().anyMatch(shard -> shard.size() < most);
  }

  /** The founding topology: nobody joins in it. */
  Topology topology() {
    List<Placement> shards = new ArrayList<>();
    owners.forEach(copies -> shards.add(new Placement(copies, List.of())));
    shards.add(new Placement(members, List.of()));
    return new Topology(id(), members, shards);
  }
}
