package io.canopygrid.junit;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * The network of a node in this JVM, which can be severed: a JGroups protocol right above the
 * transport that loses what arrives. Connections stay open, as they do when a cable is pulled.
 * Public for JGroups, which makes it by name. Thread-safe.
 */
public final class SeverableLink extends Protocol {
  /** Ports of the nodes that hear no other node and that no other node hears. */
  private static final Set<Integer> SEVERED = ConcurrentHashMap.newKeySet();

  private final Map<Address, Integer> ports = new ConcurrentHashMap<>();

  /** For JGroups, by the name of this class in a stack file. */
  public SeverableLink() {}

  /** Takes the node with that port off the network, until it is joined again. */
  static void sever(int port) {
    SEVERED.add(port);
  }

  /** Puts the node with that port back. */
  static void join(int port) {
    SEVERED.remove(port);
  }

  @Override
  public @Nullable Object up(Message message) {
    return isLost(message.getSrc()) ? null : up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    if (SEVERED.isEmpty()) {
      up_prot.up(batch);
      return;
    }
    for (Message message : batch) {
      up(message);
    }
  }

  /** The exchanges of a node behind this network. */
  public static final class Exchanges extends ExchangeProtocol {
    /** For JGroups, by the name of this class in a stack file. */
    public Exchanges() {}

    @Override
    protected boolean arrives(Address from) {
      SeverableLink link = getProtocolStack().findProtocol(SeverableLink.class);
      return !link.isLost(from);
    }
  }

  private boolean isLost(@Nullable Address sender) {
    if (SEVERED.isEmpty() || sender == null) {
      return false;
    }
    int own = getTransport().getBindPort();
    int from = port(sender);
    return own != from && (SEVERED.contains(own) || SEVERED.contains(from));
  }

  /** The port that a node listens on, remembered longer than JGroups does; 0: not known. */
  private int port(Address node) {
    Integer known = ports.get(node);
    if (known != null) {
      return known;
    }
    Object physical = down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, node));
    if (physical instanceof IpAddress address) {
      ports.put(node, address.getPort());
      return address.getPort();
    }
    return 0;
  }
}
