package io.canopygrid.gmu.infinispan.transport;

import io.canopygrid.gmu.NodeId;
import org.jgroups.Address;
import org.jgroups.util.UUID;

/** Node ids of addresses: the 64 bits in which the halves of an address's random UUID differ. */
public final class NodeIds {
  private NodeIds() {}

  /** The id of the node with an address of these bits. */
  public static NodeId of(long mostSignificantBits, long leastSignificantBits) {
    return new NodeId(mostSignificantBits ^ leastSignificantBits);
  }

  static NodeId of(Address address) {
    UUID uuid = (UUID) address;
    return of(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }
}
