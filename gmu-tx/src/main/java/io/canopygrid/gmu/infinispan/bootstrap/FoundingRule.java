package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.FoundingPolicy;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.stack.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a node that knows of no grid may found one. A member that does not answer may be a
 * node of the grid, behind a cut. Only a machine that refuses the connection has said that no node
 * runs there.
 */
final class FoundingRule {
  private final String grid;
  private final long joinTimeoutMillis;
  private final NetworkSettings network;

  FoundingRule(String grid, long joinTimeoutMillis, NetworkSettings network) {
    this.grid = grid;
    this.joinTimeoutMillis = joinTimeoutMillis;
    this.network = network;
  }

  /**
   * Why a node with this view must not found the grid; null: it may. Takes half a second for each
   * member that does not answer.
   *
   * @param isStored whether the node has a grid on its disk: it begins no other one, and those who
   *     have that grid on their disks count who is there
   */
  @Nullable String objection(EmbeddedCacheManager caches, boolean isStored) {
    if (network.found() == FoundingPolicy.NEVER && !isStored) {
      return String.format(
          Locale.ROOT,
          "no node of grid '%s' has been found, and this one may not begin one (found: never)",
          grid);
    }
    List<InetSocketAddress> missing = others();
    int members = missing.size() + 1;
    missing.removeAll(present(caches));
    boolean isMajority = 2 * (members - missing.size()) > members;
    if (isMajority) {
      return null;
    }
    for (InetSocketAddress host : missing) {
      String objection = objection(host, isStored);
      if (objection != null) {
        return objection;
      }
    }
    return null;
  }

  /** Whether a process listens where another member of the grid would. */
  boolean isSomebodyThere() {
    return others().stream().anyMatch(host -> Presence.of(host) == Presence.LISTENS);
  }

  private @Nullable String objection(InetSocketAddress host, boolean isStored) {
    Presence presence = Presence.of(host);
    if (presence == Presence.LISTENS) {
      String refusal = network.identity().map(identity -> identity.objection(host)).orElse(null);
      return String.format(
          Locale.ROOT,
          "somebody listens at %s:%d, but is not found to be a node of grid '%s' within %d ms%s",
          host.getHostString(),
          host.getPort(),
          grid,
          joinTimeoutMillis,
          refusal == null ? "" : ": " + refusal);
    }
    boolean mayBeCutOff = presence == Presence.UNKNOWN && !isStored;
    if (mayBeCutOff && network.found() != FoundingPolicy.ALWAYS) {
      return String.format(
          Locale.ROOT,
          "%s:%d does not answer, so a node of grid '%s' may run there; this node begins no"
              + " second grid. Mend the network or start that node; where it is gone for good, take"
              + " it from the members, or start this node once with found: always",
          host.getHostString(),
          host.getPort(),
          grid);
    }
    return null;
  }

  /** The addresses at which the nodes of the view listen. */
  private static Set<InetSocketAddress> present(EmbeddedCacheManager caches) {
    JGroupsTransport transport =
        (JGroupsTransport) GlobalComponentRegistry.of(caches).getComponent(Transport.class);
    JChannel channel = transport.getChannel();
    Set<InetSocketAddress> present = new HashSet<>();
    for (Address member : channel.getView()) {
      if (channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, member)) instanceof IpAddress ip) {
        present.add(new InetSocketAddress(ip.getIpAddress(), ip.getPort()));
      }
    }
    return present;
  }

  private List<InetSocketAddress> others() {
    List<InetSocketAddress> others = new ArrayList<>();
    try {
      InetAddress own = InetAddress.getByName(network.bindAddress());
      for (InetSocketAddress host : OwnInfinispan.initialHosts(network)) {
        boolean isSelf = host.getPort() == network.port() && own.equals(host.getAddress());
        if (!isSelf && !others.contains(host)) {
          others.add(host);
        }
      }
    } catch (IOException e) {
      throw new JoinException(Reason.FAILED, "cannot resolve " + network.bindAddress(), e);
    }
    return others;
  }
}
