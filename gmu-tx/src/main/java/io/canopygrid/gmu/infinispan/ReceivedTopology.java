package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Topology;
import java.util.List;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.CacheTopology.Phase;
import org.jspecify.annotations.Nullable;

/**
 * A topology as this node has received it from Infinispan.
 *
 * @param topology what the protocol makes of it
 * @param source Infinispan's own
 */
record ReceivedTopology(Topology topology, CacheTopology source) {
  /** Whether Infinispan moves nothing in it. */
  boolean isAtRest() {
    return source.getPhase() == Phase.NO_REBALANCE;
  }

  /** Whether it lacks a member of an earlier topology. */
  boolean drops(@Nullable ReceivedTopology earlier) {
    return earlier != null && !topology.members().containsAll(earlier.topology().members());
  }

  /**
   * The nodes that have the data by one of Infinispan's topologies, as a topology of this id. In
   * the last phase of a rebalance the new owners have it, as the others may have given up their
   * copies by then; Infinispan alone would go back to the old owners. In the phases before the old
   * owners have it.
   */
  static CacheTopology dataOwners(CacheTopology source, int id) {
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

  /** The owners of this topology, as a topology in which nothing moves. */
  CacheTopology withoutRebalance() {
    CacheTopology owned = dataOwners(source, source.getTopologyId());
    ConsistentHash owners = owned.getCurrentCH();
    return new CacheTopology(
        owned.getTopologyId(),
        owned.getRebalanceId(),
        owners,
        null,
        Phase.NO_REBALANCE,
        owned.getActualMembers(),
        owned.getMembersPersistentUUIDs());
  }

  /** Whether a newer topology of Infinispan's has all the owners of this topology. */
  boolean isKeptBy(CacheTopology newer) {
    List<Address> owners = withoutRebalance().getMembers();
    return newer.getTopologyId() == source.getTopologyId()
        || newer.getCurrentCH().getMembers().containsAll(owners);
  }
}
