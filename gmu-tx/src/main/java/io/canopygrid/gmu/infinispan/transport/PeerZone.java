package io.canopygrid.gmu.infinispan.transport;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.infinispan.remoting.transport.Address;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;

/** The zone of a node, which its address in the network says. */
final class PeerZone {
  private PeerZone() {}

  /**
   * Site and rack, as far as they are given. In an application's own Infinispan only the machine
   * may be given, by which copies are spread, too.
   */
  static String of(org.jgroups.Address address) {
    if (!(address instanceof ExtendedUUID extended)) {
      return "";
    }
    Address place = Address.fromExtendedUUID(extended);
    String zone = joined(place.getSiteId(), place.getRackId());
    return zone.isEmpty() ? joined(place.getMachineId(), null) : zone;
  }

  private static String joined(@Nullable String outer, @Nullable String inner) {
    return Stream.of(text(outer), text(inner))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("/"));
  }

  private static String text(@Nullable String part) {
    return part == null ? "" : part;
  }
}
