package io.canopygrid.gmu.recovery;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The words of operators on disks that are lost (docs/internals/recovery.md, An operator's word).
 * They only grow. Immutable.
 *
 * @param words how many were given, each with knowledge of those before
 * @param members whose disks count as lost, by the ids that they had in topologies
 * @param topology the newest one that was known when the last word was given
 * @param shards those that were given up then: they may begin empty
 */
public record Losses(long words, Set<NodeId> members, long topology, Set<Integer> shards) {
  public static final Losses NONE = new Losses(0, Set.of(), 0, Set.of());

  public Losses {
    members = Set.copyOf(members);
    shards = Set.copyOf(shards);
  }

  /** All that the disks have heard. */
  static Losses of(Collection<Standing> standings) {
    return standings.stream().map(Standing::losses).reduce(NONE, Losses::with);
  }

  /** These and others. Of topology and shards those of the last word stay. */
  public Losses with(Losses other) {
    Set<NodeId> all = union(members, other.members);
    if (words != other.words || topology != other.topology) {
      boolean isLater =
          words > other.words || (words == other.words && topology > other.topology);
      Losses last = isLater ? this : other;
      return new Losses(last.words, all, last.topology, last.shards);
    }
    return new Losses(words, all, topology, union(shards, other.shards));
  }

  /** These and another word. */
  Losses with(Set<NodeId> more, long newest, Set<Integer> givenUp) {
    return new Losses(words + 1, union(members, more), newest, givenUp);
  }

  private static <T extends Comparable<T>> Set<T> union(Set<T> one, Set<T> other) {
    Set<T> all = new TreeSet<>(one);
    all.addAll(other);
    return all;
  }

  /** Whether others say nothing new. */
  public boolean covers(Losses other) {
    return with(other).equals(this);
  }

  /** Whether another word, given with knowledge of these, adds nothing to them. */
  boolean saysAll(Losses word) {
    return members.equals(word.members)
        && topology == word.topology
        && shards.equals(word.shards);
  }

  /** Whether a founding may be from a topology: the last word was given with no newer one known. */
  boolean allow(Topology newest) {
    return newest.id() >= topology;
  }

  /** Whether a shard was given up in one of these topologies. */
  boolean haveGivenUp(int shard, List<Topology> in) {
    return shards.contains(shard) && in.stream().anyMatch(each -> each.id() == topology);
  }

  /** Whether a member of a topology counts as lost. */
  boolean touch(Topology whole) {
    return whole.members().stream().anyMatch(members::contains);
  }

  /** A topology without the members that count as lost. */
  Topology takenOutOf(Topology whole) {
    return touch(whole)
        ? new Topology(
            whole.id(),
            left(whole.members()),
            whole.shards().stream()
                .map(each -> new Placement(left(each.owners()), left(each.learners())))
                .toList())
        : whole;
  }

  private List<NodeId> left(List<NodeId> nodes) {
    return nodes.stream().filter(each -> !members.contains(each)).toList();
  }
}
