package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.ProtocolStack;

/**
 * A port that a node takes, or one of several, as distances from the node's own port.
 *
 * @param setting the name of the setting that gives it
 * @param first the least distance
 * @param last the greatest
 * @param given whether the setting is given, and not derived from the node's own port
 */
record NodePort(String setting, int first, int last, boolean given) {
  /** The node's own port. */
  static final NodePort OWN = new NodePort("port", 0, 0, true);

  /** All ports of a node on that stack, its own first. */
  static List<NodePort> of(ProtocolStack stack, NetworkSettings network) {
    List<NodePort> ports = new ArrayList<>();
    ports.add(OWN);
    FD_SOCK2 watch = stack.findProtocol(FD_SOCK2.class);
    if (watch != null) {
      int last = watch.getOffset() + watch.getPortRange();
      ports.add(new NodePort("watchPort", watch.getOffset(), last, network.watchPort() != 0));
    }
    ExchangeProtocol exchange = stack.findProtocol(ExchangeProtocol.class);
    if (exchange != null) {
      int offset = exchange.offset();
      ports.add(new NodePort("exchangePort", offset, offset, network.exchangePort() != 0));
    }
    return ports;
  }

  /** Whether two nodes whose own ports are so far apart would take the same port. */
  static boolean overlap(List<NodePort> ports, int apart) {
    return ports.stream()
        .anyMatch(one ->
            ports.stream()
                .anyMatch(
                    other -> one.first <= other.last + apart && other.first + apart <= one.last));
  }

  boolean isOne() {
    return first == last;
  }

  /** The setting and the number at a node with that port of its own. */
  String at(int own) {
    String origin = given ? "" : String.format(Locale.ROOT, " (port %d + %d)", own, first);
    return String.format(Locale.ROOT, "%s %d%s", setting, own + first, origin);
  }

  @Override
  public String toString() {
    return first == last
        ? String.format(Locale.ROOT, "%+d", first)
        : String.format(Locale.ROOT, "%+d to %+d", first, last);
  }
}
