package io.canopygrid.roundtrip.jgroups;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.ProtocolStack;

/** A group of two members on the loopback address. */
enum Group {
  /** The stack that JGroups ships for TCP, as it is. */
  SHIPPED("/tcp.xml"),

  /** The stack of Canopy's nodes, with its bundler and its way of delivery. */
  CANOPYS("/io/canopygrid/gmu/infinispan/canopy-stack.xml");

  private final String stack;

  Group(String stack) {
    this.stack = stack;
  }

  /**
   * Joins, or founds the group.
   *
   * @param ports of the members before, and of this one, which is the last
   */
  JChannel join(List<Integer> ports) throws IOException {
    JChannel channel = null;
    try (InputStream in = Group.class.getResourceAsStream(stack)) {
      if (in == null) {
        throw new IOException("not on the class path: " + stack);
      }
      channel = new JChannel(in);
      bind(channel.getProtocolStack(), ports);
      channel.connect("canopy-roundtrip-" + ports.get(0));
      return channel;
    } catch (Exception e) {
      if (channel != null) {
        channel.close();
      }
      throw new IOException("no group on " + stack + ": " + e.getMessage(), e);
    }
  }

  /** Sets the places of the members, and nothing that a message meets on its way. */
  private static void bind(ProtocolStack stack, List<Integer> ports) {
    InetAddress here = InetAddress.getLoopbackAddress();
    BasicTCP transport = (BasicTCP) stack.getTransport();
    transport.setBindAddress(here);
    transport.setBindPort(ports.get(ports.size() - 1));
    transport.getDiagnosticsHandler().setEnabled(false);
    transport.logDetails(false); // of connections that end with the process
    stack.<FD_SOCK2>findProtocol(FD_SOCK2.class).setBindAddress(here);
    stack.<GMS>findProtocol(GMS.class).printLocalAddress(false);
    List<InetSocketAddress> members = new ArrayList<>();
    for (int port : ports) {
      members.add(new InetSocketAddress(here, port));
    }
    stack.<TCPPING>findProtocol(TCPPING.class).setInitialHosts(members);
  }

  /** The other member of a group that is complete. */
  static Address other(JChannel channel) {
    return channel.getView().getMembers().stream()
        .filter(member -> !member.equals(channel.getAddress()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("alone in " + channel.getClusterName()));
  }
}
