package io.canopygrid.gmu.recovery;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a grid can be founded from some disks, and how (docs/internals/recovery.md, How a
 * grid is founded from its disks): the newest topology that any of them has installed says who
 * owned what; more than half of its members that owned TOP must be there, or half with the oldest
 * one; so many, too, of each one before it, back to one that all its members had installed; no more
 * of each may be missing than may fail at a time; and of each shard one of its owners must be
 * there. Members that count as lost by an operator's word are in none of these topologies.
 */
public final class RecoveryDecision {
  private RecoveryDecision() {}

  /** Founded, or what is missing. */
  public sealed interface Answer {}

  /**
   * A grid can be founded.
   *
   * @param newest the topology that decides; the founding one has a higher id
   * @param members the disks that owned TOP in it, in its order; others join later, as if empty
   * @param owners by shard the disks that own it, the first is the primary; empty where it had none
   * @param empty the shards that begin empty, as an operator has given them up
   * @param without the members of it that count as lost, and that it therefore does not have here
   * @param over the topologies from which others could found a grid until all members have
   *     installed the founding one
   * @param seen all that any of the disks has seen: transactions begin there
   * @param cut by shard the number up to which commits are kept; null: all are
   */
  public record Founded(
      Topology newest,
      List<DiskId> members,
      List<List<DiskId>> owners,
      Set<Integer> empty,
      Set<NodeId> without,
      List<Topology> over,
      VectorClock seen,
      @Nullable VectorClock cut)
      implements Answer {}

  /**
   * A grid cannot be founded yet.
   *
   * @param members how many members a topology that counts has
   * @param missing those of them whose disks are not there
   * @param shards those of which no owner is there; empty: too few members are
   */
  public record Waits(int members, List<NodeId> missing, Set<Integer> shards) implements Answer {
    private static Waits forMembers(
        Topology topology, Collection<Standing> standings, Set<Integer> shards) {
      return new Waits(
          founders(topology).size(), RecoveryDecision.missing(topology, standings), shards);
    }
  }

  /**
   * Disks of several grids are there, each of which could be founded.
   *
   * @param grids them
   */
  public record Mixed(Set<UUID> grids) implements Answer {}

  /**
   * Decides; with no topology on any disk there is nothing to wait for, and nothing is founded. A
   * disk of another grid neither counts nor keeps the others from anything, unless it could found
   * its own.
   *
   * @param failuresAtOnce how many nodes may be gone without anything being lost that was told or
   *     seen
   */
  public static @Nullable Answer of(Collection<Standing> standings, int failuresAtOnce) {
    Set<UUID> grids = new TreeSet<>();
    standings.stream().map(Standing::grid).filter(Objects::nonNull).forEach(grids::add);
    if (grids.size() <= 1) {
      return ofOneGrid(standings, failuresAtOnce);
    }
    Map<UUID, Answer> founded = new TreeMap<>();
    Answer waits = null;
    for (UUID grid : grids) {
      Answer answer =
          ofOneGrid(
              standings.stream().filter(each -> grid.equals(each.grid())).toList(), failuresAtOnce);
      if (answer instanceof Founded) {
        founded.put(grid, answer);
      } else if (answer != null) {
        waits = answer;
      }
    }
    return switch (founded.size()) {
      case 0 -> waits;
      case 1 -> founded.values().iterator().next();
      default -> new Mixed(founded.keySet());
    };
  }

  private static @Nullable Answer ofOneGrid(Collection<Standing> disks, int failuresAtOnce) {
    Losses losses = losses(disks);
    List<Standing> standings = CutDecision.believed(withoutLost(disks, losses));
    Topology newest = newest(standings);
    if (newest == null) {
      // Nodes that were about to join know where the data is.
      Topology joined =
          disks.stream()
              .map(Standing::installed)
              .filter(Objects::nonNull)
              .max(Comparator.comparingLong(Topology::id))
              .orElse(null);
      return joined == null ? null : Waits.forMembers(joined, disks, Set.of());
    }
    Topology whole = whole(newest, disks);
    Map<NodeId, Standing> there = founders(newest, standings);
    List<Topology> count = thatCount(newest, there);
    if (count == null || !losses.allow(newest)) {
      return Waits.forMembers(whole, disks, Set.of());
    }
    for (Topology one : count) {
      Set<NodeId> members = founders(one, there.values()).keySet();
      if (!mayGoOn(one, members, failuresAtOnce)) {
        return Waits.forMembers(one, standings, Set.of());
      }
    }
    List<DiskId> members =
        founders(newest).stream()
            .map(there::get)
            .filter(Objects::nonNull)
            .map(Standing::disk)
            .toList();
    List<List<DiskId>> owners = new ArrayList<>();
    Set<Integer> empty = new TreeSet<>();
    Set<Integer> without = new TreeSet<>();
    for (int shard = 0; shard < whole.shards().size(); shard++) {
      List<DiskId> of = owners(newest, shard, there);
      if (of.isEmpty() && losses.haveGivenUp(shard, count)) {
        empty.add(shard);
        of = List.of(members.get(shard % members.size()));
      } else if (of.isEmpty() && !whole.shard(shard).owners().isEmpty()) {
        without.add(shard);
      }
      owners.add(of);
    }
    if (!without.isEmpty()) {
      return Waits.forMembers(newest, standings, without);
    }
    Set<NodeId> lost = new TreeSet<>(whole.members());
    lost.removeAll(newest.members());
    VectorClock cut = CutDecision.of(newest, there.values(), owners, empty);
    VectorClock seen = seen(newest, standings);
    VectorClock begin = cut == null ? seen : CutDecision.begin(cut, seen);
    return new Founded(newest, members, owners, empty, lost, count, begin, cut);
  }

  private static VectorClock seen(Topology newest, List<Standing> standings) {
    return standings.stream()
        .filter(standing -> standing.memberOf(newest) != null)
        .map(Standing::seen)
        .reduce(VectorClock.ZERO, VectorClock::join);
  }

  /** All words of operators that the disks have heard. */
  static Losses losses(Collection<Standing> disks) {
    return disks.stream().map(Standing::losses).reduce(Losses.NONE, Losses::with);
  }

  /** The content of the disks, without the members that count as lost in any topology. */
  static List<Standing> withoutLost(Collection<Standing> disks, Losses losses) {
    return disks.stream().map(each -> each.without(losses)).toList();
  }

  /** The same topology with the members that count as lost. */
  static Topology whole(Topology newest, Collection<Standing> disks) {
    return disks.stream()
        .map(Standing::installed)
        .filter(Objects::nonNull)
        .filter(each -> each.id() == newest.id())
        .findFirst()
        .orElse(newest);
  }

  /**
   * The topologies of which enough members must be members of the grid that is founded: the newest
   * one, and as long as nobody knows that all of its members have installed it those before it, as
   * the other members may not have it, and know only those.
   *
   * <p>A founding that others have begun from the same ones, and that is older, does not count. One
   * of its members has promised the newer one before it has installed the older one, and will not
   * install that.
   *
   * <p>One of which all members count as lost does not count any more.
   *
   * @return null: those that are there do not know
   */
  static @Nullable List<Topology> thatCount(Topology newest, Map<NodeId, Standing> there) {
    List<Standing> installed =
        there.values().stream().filter(each -> newest.equals(each.installed())).toList();
    if (installed.size() == founders(newest).size()) {
      return List.of(newest);
    }
    List<Topology> least = null;
    for (Standing standing : installed) {
      List<Topology> over = standing.over();
      if (over != null && (least == null || over.size() < least.size())) {
        least = over;
      }
    }
    if (least == null) {
      least = there.size() == founders(newest).size() ? knownBefore(newest, there.values()) : null;
    }
    return least == null
        ? null
        : Stream.concat(least.stream().filter(each -> !founders(each).isEmpty()), Stream.of(newest))
            .toList();
  }

  /**
   * Those before it that any of its members knows: only nodes that joined in it have installed it.
   */
  private static List<Topology> knownBefore(Topology newest, Collection<Standing> members) {
    Map<Long, Topology> known = new TreeMap<>();
    for (Standing member : members) {
      Topology installed = member.installed();
      List<Topology> over = member.over();
      Stream.concat(Stream.ofNullable(installed), over == null ? Stream.of() : over.stream())
          .filter(each -> each.id() < newest.id())
          .forEach(each -> known.put(each.id(), each));
    }
    return List.copyOf(known.values());
  }

  /**
   * The members by which a topology counts: those that own TOP. A member that is still getting it
   * could found nothing, as it does not know what there is.
   */
  static List<NodeId> founders(Topology topology) {
    return topology.shard(topology.top()).owners();
  }

  /**
   * The ones of them whose disks are there, and have TOP. A disk that has begun to join again has
   * dropped its copies.
   */
  static Map<NodeId, Standing> founders(Topology topology, Collection<Standing> standings) {
    Map<NodeId, Standing> there = new HashMap<>();
    for (Standing standing : standings) {
      NodeId member = standing.memberOf(topology);
      if (member != null
          && founders(topology).contains(member)
          && isSource(standing, topology.top())) {
        there.put(member, standing);
      }
    }
    return there;
  }

  /** The ones of them whose disks are not there, in whatever state. */
  static List<NodeId> missing(Topology topology, Collection<Standing> standings) {
    return founders(topology).stream()
        .filter(member -> standings.stream().noneMatch(each -> each.users().contains(member)))
        .toList();
  }

  /**
   * The topology that was installed last on any of the disks that owned TOP in it; null: there is
   * none. In one that only nodes which were about to join have installed, nothing has happened.
   */
  static @Nullable Topology newest(Collection<Standing> standings) {
    Topology newest = null;
    for (Standing standing : standings) {
      Topology installed = standing.installed();
      NodeId member = installed == null ? null : standing.memberOf(installed);
      if (installed != null
          && member != null
          && (newest == null || installed.id() > newest.id())
          && founders(installed).contains(member)) {
        newest = installed;
      }
    }
    return newest;
  }

  /**
   * Whether a grid may go on from a topology with these owners of TOP, whether it serves or is
   * founded: no others can have gone on without them, and nothing is known only to others.
   *
   * @param owners those that are new do not count
   * @param failuresAtOnce as in {@link #of}
   */
  public static boolean mayGoOn(Topology topology, Set<NodeId> owners, int failuresAtOnce) {
    Set<NodeId> left = new HashSet<>(founders(topology));
    left.retainAll(owners);
    return knowAll(topology, left, failuresAtOnce) && areEnough(topology, left);
  }

  /** Whether those that are missing cannot have been the only ones to know something. */
  static boolean knowAll(Topology topology, Set<NodeId> there, int failuresAtOnce) {
    return founders(topology).size() - there.size() <= failuresAtOnce;
  }

  /** Whether no other members could found another grid: more than half, or half with the oldest. */
  static boolean areEnough(Topology newest, Set<NodeId> there) {
    List<NodeId> all = founders(newest);
    return 2 * there.size() > all.size()
        || (2 * there.size() == all.size() && !all.isEmpty() && there.contains(all.get(0)));
  }

  /** Whether a disk has all of a shard: a learner's copy that was under way has not. */
  static boolean isSource(Standing standing, int shard) {
    return standing.complete().contains(shard);
  }

  /** The owners that are there, and have a complete copy. */
  private static List<DiskId> owners(Topology newest, int shard, Map<NodeId, Standing> there) {
    List<DiskId> owners = new ArrayList<>();
    for (NodeId owner : newest.shard(shard).owners()) {
      Standing standing = there.get(owner);
      if (standing != null && isSource(standing, shard)) {
        owners.add(standing.disk());
      }
    }
    return owners;
  }
}
