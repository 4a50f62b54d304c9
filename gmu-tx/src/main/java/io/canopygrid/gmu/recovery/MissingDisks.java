package io.canopygrid.gmu.recovery;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The disks that a grid lacks, and what is lost without them (docs/internals/recovery.md, An
 * operator's word). Immutable.
 *
 * @param topology the id of the newest topology that the disks that are there know
 * @param shards the number of shards, TOP among them
 * @param missing the members whose disks are not there and do not count as lost, with the shards of
 *     which they have a copy and no disk that is there has; in the order of their membership
 * @param outOfDate members of earlier topologies that count, whose disks are there and are not of
 *     the newest one: a grid is founded without them, and they may be wanted for it all the same
 * @param lost the shards of which nobody can have a copy any more that counts: they are lost
 * @param mayHaveGoneOn whether those that are missing, or count as lost, could have gone on alone
 */
public record MissingDisks(
    long topology,
    int shards,
    Map<NodeId, Set<Integer>> missing,
    Set<NodeId> outOfDate,
    Set<Integer> lost,
    boolean mayHaveGoneOn) {

  /**
   * As some disks know it.
   *
   * @param disks all that are there, of one grid
   * @param losses the disks that count as lost
   * @return null: none of these knows where the data is
   */
  static @Nullable MissingDisks of(Collection<Standing> disks, Losses losses) {
    List<Standing> standings = RecoveryDecision.withoutLost(disks, losses);
    Topology newest = RecoveryDecision.newest(standings);
    if (newest == null) {
      return null;
    }
    Topology whole = RecoveryDecision.whole(newest, disks);
    Map<NodeId, Standing> there = RecoveryDecision.founders(newest, standings);
    List<Topology> count = RecoveryDecision.thatCount(newest, there);
    List<Topology> before = count == null ? List.of() : count;
    Map<NodeId, Set<Integer>> missing = new LinkedHashMap<>();
    for (NodeId member : missing(newest, before, standings)) {
      missing.put(member, new TreeSet<>());
    }
    Set<Integer> lost = new TreeSet<>();
    for (int shard = 0; shard < whole.shards().size(); shard++) {
      List<NodeId> owners = newest.shard(shard).owners();
      int index = shard;
      boolean isThere = owners.stream().anyMatch(owner -> isSource(there.get(owner), index));
      if (isThere || whole.shard(shard).owners().isEmpty()) {
        continue;
      }
      List<NodeId> elsewhere = owners.stream().filter(missing::containsKey).toList();
      elsewhere.forEach(owner -> missing.getOrDefault(owner, Set.of()).add(index));
      if (elsewhere.isEmpty()) {
        lost.add(shard);
      }
    }
    boolean mayHaveGoneOn = !RecoveryDecision.areEnough(whole, there.keySet());
    return new MissingDisks(
        newest.id(),
        whole.shards().size(),
        missing,
        outOfDate(newest, before, standings),
        lost,
        mayHaveGoneOn);
  }

  private static Set<NodeId> missing(
      Topology newest, List<Topology> before, List<Standing> standings) {
    Set<NodeId> missing = new LinkedHashSet<>();
    before.forEach(each -> missing.addAll(RecoveryDecision.missing(each, standings)));
    newest.members().stream()
        .filter(member -> standings.stream().noneMatch(each -> each.users().contains(member)))
        .forEach(missing::add);
    return missing;
  }

  private static Set<NodeId> outOfDate(
      Topology newest, List<Topology> before, List<Standing> standings) {
    Set<NodeId> found = new LinkedHashSet<>();
    for (Topology each : before) {
      for (NodeId member : RecoveryDecision.founders(each)) {
        if (standings.stream()
            .anyMatch(disk -> disk.users().contains(member) && disk.memberOf(newest) == null)) {
          found.add(member);
        }
      }
    }
    return found;
  }

  private static boolean isSource(@Nullable Standing standing, int shard) {
    return standing != null && RecoveryDecision.isSource(standing, shard);
  }
}
