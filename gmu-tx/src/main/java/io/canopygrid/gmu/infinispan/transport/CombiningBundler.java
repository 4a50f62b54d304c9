package io.canopygrid.gmu.infinispan.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.NullAddress;
import org.jgroups.View;
import org.jgroups.protocols.BaseBundler;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Sends on the thread that has a message, where that thread may wait for a socket: no other thread
 * has to be woken for it. A thread that finds another one sending to the same member leaves its
 * message to that thread, which sends all that has come together in one piece (flat combining,
 * {@link CombiningQueue}). So one caller pays for no hand-over, and many callers share the system
 * calls.
 *
 * <p>Canopy's own messages are sent so, except those marked {@code DONT_BLOCK} ({@link
 * ForkTransport}). All others are sent by a thread of the transport's pool, as they may come from a
 * thread that must not wait. At most one thread waits for each member, however slow that is. A
 * message that comes while {@code capacity} messages wait is dropped, as other bundlers do; {@code
 * UNICAST3}, or its sender, sends it again. Thread-safe.
 *
 * <p>Public for JGroups, which makes it by name: {@code bundler_type} of a stack file.
 */
public final class CombiningBundler extends BaseBundler {
  /** After so many pieces a thread leaves the rest to the pool: it has work of its own. */
  private static final int PIECES_MAX = 16;

  private static final Address EVERYBODY = new NullAddress();

  /** The destinations to which a thread that collects its messages has to send afterwards. */
  private static final ThreadLocal<@Nullable List<Runnable>> HELD_BACK = new ThreadLocal<>();

  private final Map<Address, Destination> destinations = new ConcurrentHashMap<>();

  @Override
  public void init(TP transport) {
    super.init(transport);
    if (transport instanceof TCP tcp) {
      // Messages to all members use the same connections as messages to one member.
      tcp.useLockToSend(true);
      // A piece is one system call.
      tcp.setBufferedOutputStreamSize(
          Math.max(tcp.getBufferedOutputStreamSize(), max_size + Integer.BYTES));
    }
  }

  @Override
  public void stop() {
    super.stop();
    destinations.clear();
  }

  @Override
  public void send(Message message) {
    if (message.getSrc() == null) {
      message.setSrc(transport.getAddress());
    }
    Address to = message.getDest() == null ? EVERYBODY : message.getDest();
    Destination destination =
        destinations.computeIfAbsent(to, key -> new Destination(message.getDest()));
    if (destination.waiting() >= capacity) {
      num_drops_on_full_queue.increment();
      return;
    }
    if (!destination.isFirst(message)) {
      return;
    }
    if (mayWait(message)) {
      List<Runnable> later = HELD_BACK.get();
      if (later == null) {
        destination.run();
      } else {
        later.add(destination);
      }
    } else if (!transport.getThreadPool().execute(destination)) {
      destination.run();
    }
  }

  private static boolean mayWait(Message message) {
    return !message.isFlagSet(Message.TransientFlag.DONT_BLOCK) && CanopyFork.carries(message);
  }

  /** Runs work, and sends the messages that it makes this thread send when it is done. */
  static void inOnePiece(Runnable work) {
    List<Runnable> later = new ArrayList<>();
    HELD_BACK.set(later);
    try {
      work.run();
    } finally {
      HELD_BACK.remove();
      later.forEach(Runnable::run);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a removal does not fail
  public void viewChange(View view) {
    List<Address> left = Util.leftMembers(members, view.getMembers());
    super.viewChange(view);
    if (left != null && !left.isEmpty()) {
      Runnable removal = () -> left.forEach(destinations::remove);
      // Not at once: the member may still be told that it has left.
      transport.getTimer().schedule(removal, remove_delay, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public int size() {
    return destinations.values().stream().mapToInt(CombiningQueue::waiting).sum();
  }

  /** The messages to one member, or to everybody. */
  private final class Destination extends CombiningQueue<Message> {
    private final Address address;

    // For the thread that sends.
    private final ByteArrayDataOutputStream buffer =
        new ByteArrayDataOutputStream(1024).growExponentially(true);

    Destination(Address address) {
      super(PIECES_MAX);
      this.address = address;
    }

    @Override
    int bytes(Message message) {
      return message.size();
    }

    @Override
    int pieceBytesMax() {
      return max_size;
    }

    @Override
    void send(List<Message> piece) {
      try {
        buffer.position(0);
        if (piece.size() == 1) {
          sendSingle(address, piece.get(0), buffer);
        } else {
          sendMultiple(address, transport.getAddress(), piece, buffer);
        }
      } catch (Throwable e) { // The next messages have to be sent in any case.
        log.trace("%s: nothing is sent to %s: %s", transport.getAddress(), address, e.getMessage());
      }
      total_msgs_sent.add(piece.size());
    }

    @Override
    boolean isHandedOver() {
      return transport.getThreadPool().execute(this);
    }

    @Override
    public String toString() {
      return String.valueOf(address);
    }
  }
}
