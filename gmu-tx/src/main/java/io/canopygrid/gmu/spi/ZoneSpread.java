package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * The spread of the copies of shards over zones. Nodes that say nothing of theirs count as one
 * zone, since nobody knows that they are in different ones.
 *
 * @param shards how many there are besides TOP
 * @param owners how many copies each shard is to have
 * @param zones how many zones have nodes, that of nodes without a zone included; 0: no node says
 *     where it is
 * @param nowhere how many nodes do not say where they are
 * @param crowded how many shards have two copies or more in one zone; 0 where no node says where it
 *     is
 */
public record ZoneSpread(int shards, int owners, int zones, int nowhere, int crowded) {
  /**
   * The spread in a topology.
   *
   * @param zone of a member, empty where it does not say
   */
  public static ZoneSpread of(Topology topology, int owners, Function<NodeId, String> zone) {
    Set<String> zones = zones(topology.members(), zone);
    int shards = topology.top();
    if (zones.equals(Set.of("")) || zones.isEmpty()) {
      return new ZoneSpread(shards, owners, 0, topology.members().size(), 0);
    }
    int nowhere =
        Math.toIntExact(
            topology.members().stream().filter(node -> zone.apply(node).isEmpty()).count());
    int crowded =
        Math.toIntExact(
            topology.shards().stream()
                .limit(shards)
                .map(Placement::owners)
                .filter(copies -> zones(copies, zone).size() < copies.size())
                .count());
    return new ZoneSpread(shards, owners, zones.size(), nowhere, crowded);
  }

  private static Set<String> zones(Collection<NodeId> nodes, Function<NodeId, String> zone) {
    Set<String> zones = new HashSet<>();
    nodes.forEach(node -> zones.add(zone.apply(node)));
    return zones;
  }

  /**
   * The shards whose copies share a zone, and why, in one line; empty: no two copies of a shard
   * share a zone.
   */
  public String text() {
    if (crowded == 0) {
      return "";
    }
    String counts =
        String.format(
            Locale.ROOT,
            "%d of %d shards %s copies in one zone: ",
            crowded,
            shards,
            crowded == 1 ? "has two or more of its" : "have two or more of their");
    if (nowhere == 1) {
      return counts + "one node does not say where it is, start it with a zone";
    }
    if (nowhere > 0) {
      return counts + nowhere + " nodes do not say where they are, start them with a zone";
    }
    if (zones < owners) {
      String where = zones == 1 ? "one zone" : zones + " zones";
      return counts
          + String.format(Locale.ROOT, "there are nodes in %s, and %d copies", where, owners);
    }
    return counts + "some copies are still to be moved";
  }
}
