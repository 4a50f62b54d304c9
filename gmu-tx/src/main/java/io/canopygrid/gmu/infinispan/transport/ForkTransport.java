package io.canopygrid.gmu.infinispan.transport;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.exchange.ExchangeChannel;
import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import io.canopygrid.gmu.infinispan.exchange.Exchanges;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.node.CallTable;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.wire.MessageCodec;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.ViewId;
import org.jgroups.fork.ForkChannel;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.NameCache;
import org.jgroups.util.ThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes over a fork of Infinispan's JGroups channel. They go out of band, since the protocol needs
 * no order, and are handled on the JGroups thread that brings them, since a step never blocks.
 * Thread-safe.
 */
public final class ForkTransport implements ByteTransport, Receiver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ForkTransport.class);

  /** Below the size from which JGroups cuts a message into fragments, none of which may be lost. */
  private static final int REPEATABLE_MAX_BYTES = 32 << 10;

  private final ForkChannel fork;
  private final LossReports lossReports;
  private final ThreadPool pool;
  private final boolean overTcp;
  private final @Nullable ExchangeProtocol beside;
  private final String grid;
  private volatile @Nullable Exchanges exchanges;
  private volatile Map<NodeId, Peer> peers = Map.of();

  /** Held while a view is taken in, and the listener told of it. */
  private final Object views = new Object();

  /** The view taken in last; guarded by {@link #views}. */
  private @Nullable ViewId newest;

  private final Set<NodeId> notUnderstood = ConcurrentHashMap.newKeySet();
  private final CallTable calls = new CallTable(this::sendCall);

  /** Null before the start and after the end: nothing is taken in then. */
  private volatile @Nullable TransportListener listener;

  /** A fork for one grid, which hears nothing yet. */
  public ForkTransport(JChannel channel, String grid) {
    lossReports = new LossReports(channel.getProtocolStack(), this::members, this::report);
    TP socket = channel.getProtocolStack().getTransport();
    pool = socket.getThreadPool();
    overTcp = socket instanceof BasicTCP;
    beside = channel.getProtocolStack().findProtocol(ExchangeProtocol.class);
    this.grid = grid;
    try {
      fork =
          new ForkChannel(
              channel,
              CanopyFork.FORK_STACK,
              grid,
              true,
              ProtocolStack.Position.ABOVE,
              channel.getProtocolStack().getTopProtocol().getClass());
    } catch (Exception e) {
      throw new IllegalStateException("no fork of the channel " + channel.getClusterName(), e);
    }
  }

  /**
   * Delivers to the listener from now on. Called once, before the node can be in any topology,
   * since JGroups drops messages to a fork that is not there.
   */
  public void start(TransportListener deliverTo) {
    Invariant.holds(listener == null, "the transport of grid %s starts twice", grid);
    listener = deliverTo;
    fork.setReceiver(this);
    exchanges = beside == null ? null : beside.join(grid, new BesideChannel());
    try {
      fork.connect(CanopyFork.FORK_STACK);
    } catch (Exception e) {
      throw new IllegalStateException("the fork of the channel does not connect", e);
    }
  }

  @Override
  public void send(NodeId to, ByteBuffer bytes) {
    send(to, bytes, true);
  }

  @Override
  public void sendRepeatable(NodeId to, ByteBuffer bytes) {
    Peer peer = peers.get(to);
    Exchanges shorter = exchanges;
    if (shorter == null || peer == null || !shorter.answers(peer.address(), bytes)) {
      sendByChannel(to, bytes);
    }
  }

  @Override
  public void ask(NodeId to, ByteBuffer bytes) {
    Peer peer = peers.get(to);
    Exchanges shorter = exchanges;
    if (shorter == null || peer == null || !shorter.asks(peer.address(), bytes)) {
      sendByChannel(to, bytes);
    }
  }

  @Override
  public boolean exchange(BooleanSupplier asking, BooleanSupplier isAnswered, long deadlineNanos) {
    Exchanges shorter = exchanges;
    return shorter == null
        ? asking.getAsBoolean()
        : shorter.exchange(asking, isAnswered, deadlineNanos);
  }

  private void sendByChannel(NodeId to, ByteBuffer bytes) {
    // Over TCP, which loses nothing but with a connection. Datagrams are lost one by one.
    send(to, bytes, !overTcp || bytes.remaining() > REPEATABLE_MAX_BYTES);
  }

  private void send(NodeId to, ByteBuffer bytes, boolean reliably) {
    Peer peer = peers.get(to);
    if (peer == null) {
      LOG.debug("{} has left: nothing is sent to it", to);
      return;
    }
    BytesMessage packet = packet(peer, bytes);
    if (!reliably) {
      packet.setFlag(org.jgroups.Message.Flag.NO_RELIABILITY);
    }
    send(packet);
  }

  private static BytesMessage packet(Peer peer, ByteBuffer bytes) {
    BytesMessage packet =
        new BytesMessage(
            peer.address(),
            bytes.array(),
            bytes.arrayOffset() + bytes.position(),
            bytes.remaining());
    // Not flow controlled: a thread that delivers must not wait for credits.
    packet.setFlag(org.jgroups.Message.Flag.OOB, org.jgroups.Message.Flag.NO_FC);
    if (!peer.hasRoomFor(bytes.remaining())) {
      packet.setFlag(org.jgroups.Message.TransientFlag.DONT_BLOCK);
    }
    return packet;
  }

  private void send(BytesMessage packet) {
    try {
      fork.send(packet);
    } catch (Exception e) {
      LOG.debug("nothing is sent to {}: {}", packet.getDest(), e.getMessage());
    }
  }

  private boolean sendCall(NodeId to, byte[] frame) {
    Peer peer = peers.get(to);
    if (peer == null) {
      return false;
    }
    send(packet(peer, ByteBuffer.wrap(frame)));
    return true;
  }

  @Override
  public NodeCalls calls() {
    return calls;
  }

  /** The channel's members without this node; none once it is closed. The set is the caller's. */
  public Set<NodeId> others() {
    Set<NodeId> others = new HashSet<>();
    Address own = fork.getAddress();
    if (own != null) {
      others.addAll(peers.keySet());
      others.remove(NodeIds.of(own));
    }
    return others;
  }

  /** The name of a member, by which lines of JGroups call it; its id where it is gone. */
  public String name(NodeId member) {
    Peer peer = peers.get(member);
    String name = peer == null ? null : NameCache.get(peer.address());
    return name == null ? member.toString() : name;
  }

  /** Where a member listens, in words; its name where that is not known. */
  public String address(NodeId member) {
    Peer peer = peers.get(member);
    if (peer == null) {
      return "-";
    }
    Object physical = fork.down(new Event(Event.GET_PHYSICAL_ADDRESS, peer.address()));
    return String.valueOf(physical == null ? peer.address() : physical);
  }

  /** Where a member is, as it says; empty: it does not say, or is not there. */
  public String zone(NodeId member) {
    Peer peer = peers.get(member);
    return peer == null ? "" : PeerZone.of(peer.address());
  }

  @Override
  public void receive(org.jgroups.Message packet) {
    TransportListener deliverTo = listener;
    if (deliverTo != null) {
      deliverTo.enter(() -> receive(deliverTo, packet));
    }
  }

  private void receive(TransportListener deliverTo, org.jgroups.Message packet) {
    NodeId source = NodeIds.of(packet.getSrc());
    Peer peer = peers.get(source);
    if (peer != null) {
      peer.heard();
    }
    byte[] bytes = packet.getArray();
    int offset = packet.getOffset();
    int length = packet.getLength();
    if (LossReports.isReport(bytes, offset, length)) {
      if (peers.containsKey(source)) {
        lossReports.received(packet.getSrc());
      }
    } else if (HostMessages.isOne(bytes, offset, length)) {
      deliverTo.hostMessage(source, bytes, offset, length);
    } else if (CallTable.isFrame(bytes, offset, length)) {
      // A caller may go on at once on the thread that brings its answer, for as long as it likes.
      Runnable taking = () -> deliverTo.enter(() -> calls.received(source, bytes, offset, length));
      if (!pool.execute(taking)) {
        taking.run();
      }
    } else {
      deliver(deliverTo, source, bytes, offset, length);
    }
  }

  private void deliver(
      TransportListener deliverTo, NodeId source, byte[] bytes, int offset, int length) {
    Message message = decoded(source, bytes, offset, length);
    if (message != null) {
      deliverTo.received(source, message, length);
    }
  }

  private @Nullable Message decoded(NodeId source, byte[] bytes, int offset, int length) {
    try {
      return MessageCodec.decode(bytes, offset, length);
    } catch (MalformedBytesException e) {
      notUnderstood(source, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Says once of each node, as long as it is there, that what it sends is not understood. */
  public void notUnderstood(NodeId source, String why) {
    if (peers.containsKey(source) && notUnderstood.add(source)) {
      LOG.warn(
          "CNPY-4008 PROTOCOL_ERROR: {} of grid '{}' sends what this node does not understand ({}):"
              + " run the same release at all nodes",
          source,
          grid,
          why);
    }
  }

  /** The exchanges' way into this transport, and out of it. */
  private final class BesideChannel implements ExchangeChannel {
    @Override
    public void received(Address from, byte[] bytes, int offset, int length) {
      TransportListener deliverTo = listener;
      if (deliverTo != null) {
        deliverTo.enter(() -> deliver(deliverTo, NodeIds.of(from), bytes, offset, length));
      }
    }

    @Override
    public void send(Address to, ByteBuffer message) {
      sendByChannel(NodeIds.of(to), message);
    }
  }

  /**
   * Takes in a view of the channel, and leaves out one that is older than the last. JGroups
   * delivers views in their order, but for the one that a fork hears as it connects: the channel
   * may have the next one by then, and this fork, too. Members that have come since would be
   * missing for good.
   */
  @Override
  public void viewAccepted(View view) {
    TransportListener tell = listener;
    if (tell != null) {
      tell.enter(() -> accept(view, tell));
    }
  }

  private void accept(View view, TransportListener tell) {
    synchronized (views) {
      if (newest == null || view.getViewId().compareToIDs(newest) >= 0) {
        newest = view.getViewId();
        replacePeers(view);
        tell.viewChanged(Set.copyOf(peers.keySet()));
      }
    }
  }

  private void replacePeers(View view) {
    Map<NodeId, Peer> before = peers;
    Map<NodeId, Peer> next = new HashMap<>();
    for (Address member : view.getMembers()) {
      NodeId id = NodeIds.of(member);
      Peer known = before.get(id);
      next.put(id, known == null ? new Peer(member) : known);
    }
    peers = Map.copyOf(next);
    notUnderstood.retainAll(next.keySet());
    lossReports.viewChanged(before, next);
    calls.present(next.keySet());
  }

  private Set<NodeId> members() {
    TransportListener asked = listener;
    return asked == null ? Set.of() : asked.members();
  }

  private void report(Peer peer) {
    BytesMessage packet = packet(peer, LossReports.report());
    // A report must not come late, since it is true now, nor wait for a dead node's socket.
    packet.setFlag(org.jgroups.Message.Flag.NO_RELIABILITY);
    packet.setFlag(org.jgroups.Message.TransientFlag.DONT_BLOCK);
    send(packet);
  }

  @Override
  public void close() {
    listener = null;
    Exchanges shorter = exchanges;
    if (shorter != null) {
      shorter.close();
    }
    lossReports.close();
    calls.close();
    fork.close();
  }
}
