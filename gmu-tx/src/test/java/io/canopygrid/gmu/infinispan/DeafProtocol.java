package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/** A protocol right above the transport of a stack: cuts off some nodes of this JVM, by ports. */
public final class DeafProtocol extends Protocol {
  /** Ports of the nodes that hear no other node and that no other node hears. */
  static final Set<Integer> CUT_OFF = ConcurrentHashMap.newKeySet();

  /** Ports of the nodes that hear no other node. */
  static final Set<Integer> DEAF = ConcurrentHashMap.newKeySet();

  /** Ports of the nodes that hear all others again as soon as they are alone. */
  static final Set<Integer> HEARS_WHEN_ALONE = ConcurrentHashMap.newKeySet();

  private final ConcurrentHashMap<Address, Integer> ports = new ConcurrentHashMap<>();

  /** For JGroups. */
  public DeafProtocol() {}

  @Override
  public @Nullable Object up(Message message) {
    return isLost(message.getSrc()) ? null : up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    for (Message message : batch) {
      up(message);
    }
  }

  @Override
  public @Nullable Object down(Event event) {
    if (event.getType() == Event.VIEW_CHANGE && event.<View>getArg().size() == 1) {
      int own = getTransport().getBindPort();
      if (HEARS_WHEN_ALONE.remove(own)) {
        DEAF.remove(own);
      }
    }
    return down_prot.down(event);
  }

  /** The exchanges of a node that hears what this lets through. */
  public static final class Exchanges extends ExchangeProtocol {
    /** For JGroups. */
    public Exchanges() {}

    @Override
    protected boolean arrives(Address from) {
      DeafProtocol link = getProtocolStack().findProtocol(DeafProtocol.class);
      return !link.isLost(from);
    }
  }

  private boolean isLost(Address sender) {
    if (CUT_OFF.isEmpty() && DEAF.isEmpty()) {
      return false;
    }
    int own = getTransport().getBindPort();
    int from = port(sender);
    return own != from && (CUT_OFF.contains(own) || CUT_OFF.contains(from) || DEAF.contains(own));
  }

  private int port(Address node) {
    Integer known = ports.get(node);
    if (known == null
        && down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, node)) instanceof IpAddress at) {
      known = at.getPort();
      ports.put(node, known);
    }
    return known == null ? 0 : known;
  }
}
