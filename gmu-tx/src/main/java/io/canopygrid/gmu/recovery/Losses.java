package io.canopygrid.gmu.recovery;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The words of operators on disks that are lost (docs/internals/recovery.md, An operator's word).
 * They only grow. Immutable.
 *
 * @param words how many were given, each with knowledge of those before
 * @param members whose disks count as lost, by the ids that they had in topologies, each with the
 *     newest topology that was known when that was said
 * @param topology the newest one that was known when the last word was given
 * @param shards those that were given up then: they may begin empty
 */
public record Losses(long words, Map<NodeId, Long> members, long topology, Set<Integer> shards) {
  public static final Losses NONE = new Losses(0, Map.of(), 0, Set.of());

  /**
   * The distance of a founding without lost disks from all topologies that are known: the lost ones
   * may have installed later ones.
   */
  static final long LEAP = 1 << 12;

  public Losses {
    members = Map.copyOf(members);
    shards = Set.copyOf(shards);
  }

  /** These and others. Of topology and shards those of the last word stay. */
  public Losses with(Losses other) {
    Map<NodeId, Long> all = new HashMap<>(members);
    other.members.forEach((member, said) -> all.merge(member, said, Math::min));
    if (words != other.words || topology != other.topology) {
      boolean isLater = words > other.words || (words == other.words && topology > other.topology);
      Losses last = isLater ? this : other;
      return new Losses(last.words, all, last.topology, last.shards);
    }
    Set<Integer> both = new TreeSet<>(shards);
    both.addAll(other.shards);
    return new Losses(words, all, topology, both);
  }

  /** These and another word. */
  Losses with(Set<NodeId> more, long newest, Set<Integer> givenUp) {
    Map<NodeId, Long> all = new HashMap<>(members);
    more.forEach(member -> all.putIfAbsent(member, newest));
    return new Losses(words + 1, all, newest, givenUp);
  }

  /**
   * These, and where a disk counts as lost that is back, all of the members that it has been. A
   * disk that has joined again since is a new one.
   *
   * @param was the members that the disk has been
   * @param installed the topology that it has installed last; null: none
   */
  Losses extendedBy(List<NodeId> was, @Nullable Topology installed) {
    Map<NodeId, Long> all = new HashMap<>(members);
    for (NodeId member : was) {
      Long said = members.get(member);
      if (said != null && (installed == null || installed.id() < said + LEAP)) {
        was.forEach(each -> all.putIfAbsent(each, said));
      }
    }
    return all.equals(members) ? this : new Losses(words, all, topology, shards);
  }

  /** Whether others say nothing new. */
  public boolean covers(Losses other) {
    return with(other).equals(this);
  }

  /** Whether another word, given with knowledge of these, adds nothing to them. */
  boolean saysAll(Losses word) {
    return members.equals(word.members) && topology == word.topology && shards.equals(word.shards);
  }

  /** The lowest id of a founding topology that is above all that the lost disks may have. */
  long foundingMin() {
    return members.values().stream().mapToLong(said -> said + LEAP).max().orElse(0);
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
    return whole.members().stream().anyMatch(members::containsKey);
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
    return nodes.stream().filter(each -> !members.containsKey(each)).toList();
  }
}
