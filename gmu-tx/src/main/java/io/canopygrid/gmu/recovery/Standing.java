package io.canopygrid.gmu.recovery;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.storage.Recovered;
import java.util.HashSet;
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
 * @param upTo by shard the number up to which a complete copy lacks no commit
 * @param horizon versions below it may be gone
 * @param mayLack whether a power cut may have taken what was written last
 * @param cut the one with which its topology has founded a grid, unless it is known that all
 *     members have made it; null: none
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
    Losses losses,
    VectorClock upTo,
    VectorClock horizon,
    boolean mayLack,
    @Nullable Cut cut) {
  public Standing {
    users = List.copyOf(users);
    over = over == null ? null : List.copyOf(over);
    complete = Set.copyOf(complete);
  }

  /** A disk whose nodes have heard no word of an operator, and that no power cut has met. */
  public Standing(
      DiskId disk,
      @Nullable UUID grid,
      List<NodeId> users,
      @Nullable Topology installed,
      @Nullable List<Topology> over,
      Set<Integer> complete,
      VectorClock seen,
      long promised) {
    this(
        disk,
        grid,
        users,
        installed,
        over,
        complete,
        seen,
        promised,
        Losses.NONE,
        VectorClock.ZERO,
        VectorClock.ZERO,
        false,
        null);
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
        recovered.promised(),
        Losses.NONE,
        recovered.complete(),
        recovered.horizon(),
        recovered.mayLack(),
        recovered.begunCut());
  }

  /** The same, of a disk that this node has now. */
  public Standing usedBy(NodeId node) {
    List<NodeId> all = Stream.concat(users.stream(), Stream.of(node)).toList();
    return with(all, installed, over, complete, promised, losses);
  }

  /** The same, with a promise and words of operators that may be newer. */
  Standing with(long newPromise, Losses words) {
    return with(users, installed, over, complete, newPromise, words);
  }

  /** The same, of a disk whose nodes have heard these words of operators. */
  public Standing with(Losses words) {
    return with(promised, words);
  }

  /** The same, without the members that count as lost in its topologies. */
  Standing without(Losses lost) {
    Topology last = installed;
    List<Topology> before = over;
    return with(
        users,
        last == null ? null : lost.takenOutOf(last),
        before == null ? null : before.stream().map(lost::takenOutOf).toList(),
        complete,
        promised,
        losses);
  }

  /** The same, without the copies that lack something below a clock. */
  Standing withoutBehind(VectorClock clock) {
    Set<Integer> left = new HashSet<>(complete);
    left.removeIf(shard -> upTo.get(shard) < clock.get(shard));
    return with(users, installed, over, left, promised, losses);
  }

  private Standing with(
      List<NodeId> newUsers,
      @Nullable Topology newInstalled,
      @Nullable List<Topology> newOver,
      Set<Integer> newComplete,
      long newPromise,
      Losses newLosses) {
    return new Standing(
        disk,
        grid,
        newUsers,
        newInstalled,
        newOver,
        newComplete,
        seen,
        newPromise,
        newLosses,
        upTo,
        horizon,
        mayLack,
        cut);
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
