package io.canopygrid.gmu.recovery;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.Recovered;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The words of a disk on itself before a grid is founded. Immutable.
 *
 * @param disk the disk's own id, which an emptied disk does not keep
 * @param grid the grid that its data is of; null: none yet, or its node has died before it knew
 * @param users the ids under which the disk's nodes have ever joined, the newest last: topologies
 *     name these
 * @param installed the topology that was installed last; null: none ever was
 * @param over the topologies before it that count beside it, as in {@link Recovered}
 * @param complete the shards of which it has a complete copy
 * @param seen the join of what it has seen
 * @param promised the highest id of a founding topology that its nodes have promised; 0: none
 * @param losses the words of operators that its nodes have heard
 */
public record Standing(
    DiskId disk,
    @Nullable UUID grid,
    List<NodeId> users,
    @Nullable Topology installed,
    @Nullable List<Topology> over,
    Set<Integer> complete,
    VectorClock seen,
    long promised,
    Losses losses) {
  public Standing {
    users = List.copyOf(users);
    over = over == null ? null : List.copyOf(over);
    complete = Set.copyOf(complete);
  }

  /** A disk whose nodes have heard no word of an operator. */
  public Standing(
      DiskId disk,
      @Nullable UUID grid,
      List<NodeId> users,
      @Nullable Topology installed,
      @Nullable List<Topology> over,
      Set<Integer> complete,
      VectorClock seen,
      long promised) {
    this(disk, grid, users, installed, over, complete, seen, promised, Losses.NONE);
  }

  /** The standing of a disk. */
  public static Standing of(DiskId disk, @Nullable UUID grid, Recovered recovered) {
    return new Standing(
        disk,
        grid,
        recovered.users(),
        recovered.topology(),
        recovered.over(),
        recovered.copies().keySet(),
        recovered.seen(),
        recovered.promised());
  }

  /** The same, of a disk that this node has now. */
  public Standing usedBy(NodeId node) {
    List<NodeId> all = Stream.concat(users.stream(), Stream.of(node)).toList();
    return new Standing(disk, grid, all, installed, over, complete, seen, promised, losses);
  }

  /** The same, with a promise and words of operators that may be newer. */
  Standing with(long newPromise, Losses words) {
    return new Standing(disk, grid, users, installed, over, complete, seen, newPromise, words);
  }

  /** The same, of a disk whose nodes have heard these words of operators. */
  public Standing with(Losses words) {
    return with(promised, words);
  }

  /** The same, without the members that count as lost in its topologies. */
  Standing without(Losses lost) {
    Topology last = installed;
    List<Topology> before = over;
    return new Standing(
        disk,
        grid,
        users,
        last == null ? null : lost.takenOutOf(last),
        before == null ? null : before.stream().map(lost::takenOutOf).toList(),
        complete,
        seen,
        promised,
        losses);
  }

  /** The member of a topology that had this disk; null: it was none. */
  @Nullable NodeId memberOf(Topology topology) {
    for (int i = users.size() - 1; i >= 0; i--) {
      if (topology.members().contains(users.get(i))) {
        return users.get(i);
      }
    }
    return null;
  }
}
