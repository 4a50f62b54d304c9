package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Topology;
import java.util.List;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.CacheTopology.Phase;
import org.jspecify.annotations.Nullable;

/**
 * A topology as Infinispan has given it to this node.
 *
 * @param topology what the protocol makes of it
 * @param source Infinispan's own
 */
record Given(Topology topology, CacheTopology source) {
  /** Whether a member of an earlier one is missing. */
  boolean drops(@Nullable Given earlier) {
    return earlier != null && !topology.members().containsAll(earlier.topology().members());
  }

  /**
   * Who has the data by one of Infinispan's topologies, as a topology of that id. In the last phase
   * of a rebalance those are the new owners, as the others may have given up their copies by then;
   * Infinispan alone would go back to the old ones. In the phases before, the old ones.
   */
  static CacheTopology holders(CacheTopology source, int id) {
    boolean isHandedOver = source.getPhase() == Phase.READ_NEW_WRITE_ALL;
    return new CacheTopology(
        id,
        source.getRebalanceId(),
        isHandedOver ? source.getPendingCH() : source.getCurrentCH(),
        isHandedOver ? null : source.getPendingCH(),
        isHandedOver ? Phase.NO_REBALANCE : source.getPhase(),
        source.getActualMembers(),
        source.getMembersPersistentUUIDs());
  }

  /** The owners of this topology, as one in which nothing moves. */
  CacheTopology settled() {
    CacheTopology holders = holders(source, source.getTopologyId());
    ConsistentHash owners = holders.getCurrentCH();
    return new CacheTopology(
        holders.getTopologyId(),
        holders.getRebalanceId(),
        owners,
        null,
        Phase.NO_REBALANCE,
        holders.getActualMembers(),
        holders.getMembersPersistentUUIDs());
  }

  /** Whether Infinispan's newer topology has all the owners of this one. */
  boolean isKeptBy(CacheTopology newer) {
    List<Address> owners = settled().getMembers();
    return newer.getTopologyId() == source.getTopologyId()
        || newer.getCurrentCH().getMembers().containsAll(owners);
  }
}
