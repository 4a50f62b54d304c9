package io.canopygrid.soak.cluster;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * The network of this JVM's node, as bad as a test wants it: a JGroups protocol right above the
 * transport that loses or delays what arrives. Connections stay open, as they do when a cable is
 * pulled. The faults are set for the JVM, not for one object: a node that joins again has a new
 * stack and the same network. Thread-safe.
 */
public final class FaultyLink extends Protocol {
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "delayed-messages");
        thread.setDaemon(true);
        return thread;
      });

  private static volatile State state = State.GOOD;

  private final Map<Address, Integer> ports = new ConcurrentHashMap<>();

  /** For JGroups, by the name of this class in a stack file. */
  public FaultyLink() {}

  /**
   * The faults of the network.
   *
   * @param deafTo nothing that a node with one of these ports sends arrives
   * @param lossPercent of all messages, 0 to 100
   * @param delayMillis of each message that arrives
   */
  record State(Set<Integer> deafTo, int lossPercent, int delayMillis) {
    static final State GOOD = new State(Set.of(), 0, 0);
  }

  /** Sets the state of this JVM's network from now on. */
  static void set(State next) {
    state = next;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // what is late may be lost as well
  public @Nullable Object up(Message message) {
    State now = state;
    if (isLost(now, message.getSrc())) {
      return null;
    }
    if (now.delayMillis() > 0) {
      TIMER.schedule(() -> up_prot.up(message), now.delayMillis(), TimeUnit.MILLISECONDS);
      return null;
    }
    return up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    if (state.equals(State.GOOD)) {
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
      State now = state;
      FaultyLink link = getProtocolStack().findProtocol(FaultyLink.class);
      if (link.isLost(now, from)) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(now.delayMillis()));
      return true;
    }
  }

  private boolean isLost(State now, @Nullable Address sender) {
    return (now.lossPercent() > 0 && ThreadLocalRandom.current().nextInt(100) < now.lossPercent())
        || (!now.deafTo().isEmpty() && sender != null && now.deafTo().contains(port(sender)));
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
