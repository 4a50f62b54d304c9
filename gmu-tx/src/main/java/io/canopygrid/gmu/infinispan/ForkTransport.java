package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import io.canopygrid.gmu.infinispan.exchange.Exchanges;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.node.CallTable;
import io.canopygrid.gmu.node.LaneNode;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.wire.MessageCodec;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.fork.ForkChannel;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FORK;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.ThreadPool;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages over a fork of Infinispan's JGroups channel: out of band, since the protocol needs no
 * order, and handled on the JGroups thread that brings them, since a step never blocks.
 */
final class ForkTransport implements StateFlow.Wire, Receiver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ForkTransport.class);
  private static final String FORK_STACK = DirectDelivery.FORK_STACK;
  private static final short FORK_ID = ClassConfigurator.getProtocolId(FORK.class);

  /** Below what JGroups cuts into fragments, of which none may be missing. */
  private static final int REPEATABLE_MAX_BYTES = 32 << 10;

  private final ForkChannel fork;
  private final Deafness deafness;
  private final ThreadPool pool;
  private final boolean overTcp;
  private final @Nullable ExchangeProtocol beside;
  private final String grid;
  private volatile @Nullable Exchanges exchanges;
  private volatile Map<NodeId, Peer> peers = Map.of();
  private final CallTable calls = new CallTable(this::sendCall);
  private volatile @Nullable LaneNode node;
  private volatile @Nullable GridHost host;

  /** A fork for one grid, which hears nothing yet. */
  ForkTransport(JChannel channel, String grid) {
    deafness = new Deafness(channel.getProtocolStack(), this::grid, this::sayLost);
    TP socket = channel.getProtocolStack().getTransport();
    pool = socket.getThreadPool();
    overTcp = socket instanceof BasicTCP;
    beside = channel.getProtocolStack().findProtocol(ExchangeProtocol.class);
    this.grid = grid;
    try {
      fork =
          new ForkChannel(
              channel,
              FORK_STACK,
              grid,
              true,
              ProtocolStack.Position.ABOVE,
              channel.getProtocolStack().getTopProtocol().getClass());
    } catch (Exception e) {
      throw new IllegalStateException("no fork of the channel " + channel.getClusterName(), e);
    }
  }

  /**
   * Delivers to the node from now on. To be called before the node can be in anybody's topology:
   * JGroups drops what comes for a fork that is not there.
   */
  void start(LaneNode deliverTo, GridHost tell) {
    node = deliverTo;
    host = tell;
    fork.setReceiver(this);
    exchanges = beside == null ? null : beside.join(grid, new BesideChannel());
    try {
      fork.connect(FORK_STACK);
    } catch (Exception e) {
      throw new IllegalStateException("the fork of the channel does not connect", e);
    }
  }

  /** Whether a message goes through a fork for a grid. */
  static boolean isCanopys(org.jgroups.Message message) {
    FORK.ForkHeader header = message.getHeader(FORK_ID);
    return header != null && FORK_STACK.equals(header.getForkStackId());
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

  /** The channel's members but this node. */
  Set<NodeId> others() {
    Set<NodeId> others = new HashSet<>(peers.keySet());
    Address own = fork.getAddress();
    if (own != null) {
      others.remove(nodeId(own));
    }
    return others;
  }

  @Override
  public void receive(org.jgroups.Message packet) {
    LaneNode deliverTo = node;
    GridHost tell = host;
    if (deliverTo == null || tell == null) {
      return;
    }
    NodeId source = nodeId(packet.getSrc());
    Peer peer = peers.get(source);
    if (peer != null) {
      peer.heard();
    }
    byte[] bytes = packet.getArray();
    if (packet.getLength() > 0
        && bytes[packet.getOffset()] == Greeting.MARK
        && isSaidByHost(tell, packet)) {
      return;
    }
    if (CallTable.isFrame(bytes, packet.getOffset(), packet.getLength())) {
      // Whoever asked may go on at once on the thread that brings the answer, for as long as it
      // likes.
      Runnable taking = () -> calls.received(source, bytes, packet.getOffset(), packet.getLength());
      if (!pool.execute(taking)) {
        taking.run();
      }
      return;
    }
    Message message = decoded(source, bytes, packet.getOffset(), packet.getLength());
    if (message == null) {
      return;
    }
    deliverTo.deliver(source, message);
    if (message instanceof Message.State chunk) {
      send(source, ByteBuffer.wrap(StateAck.of(chunk).encode()));
    }
  }

  private static @Nullable Message decoded(NodeId source, byte[] bytes, int offset, int length) {
    try {
      return MessageCodec.decode(bytes, offset, length);
    } catch (MalformedBytesException e) {
      LOG.error("{} sent what is no message: {}", source, e.getMessage());
      return null;
    }
  }

  /** What the exchanges have to do with this transport. */
  private final class BesideChannel implements Exchanges.Channel {
    @Override
    public void received(Address from, byte[] bytes, int offset, int length) {
      LaneNode deliverTo = node;
      NodeId source = nodeId(from);
      Message message = deliverTo == null ? null : decoded(source, bytes, offset, length);
      if (deliverTo != null && message != null) {
        deliverTo.deliver(source, message);
      }
    }

    @Override
    public void send(Address to, ByteBuffer message) {
      sendByChannel(nodeId(to), message);
    }
  }

  /** Passes on what another host says; false: it is something else. */
  private boolean isSaidByHost(GridHost tell, org.jgroups.Message packet) {
    NodeId source = nodeId(packet.getSrc());
    byte[] bytes = packet.getArray();
    int offset = packet.getOffset();
    int length = packet.getLength();
    if (Deafness.isTold(bytes, offset, length)) {
      if (peers.containsKey(source)) {
        deafness.told(packet.getSrc());
      }
      return true;
    }
    TopologyNotice notice = TopologyNotice.decode(bytes, offset, length);
    if (notice != null) {
      tell.onNotice(source, notice);
      return true;
    }
    Standing standing = Standing.decode(bytes, offset, length);
    if (standing != null) {
      tell.lineage().heard(source, standing);
      return true;
    }
    StateAck ack = StateAck.decode(bytes, offset, length);
    if (ack != null) {
      tell.onStateAck(source, ack);
      return true;
    }
    Greeting greeting = Greeting.decode(bytes, offset, length);
    if (greeting != null) {
      tell.onGreeting(source, greeting);
    }
    return greeting != null;
  }

  @Override
  public void viewAccepted(View view) {
    Map<NodeId, Peer> before = peers;
    Map<NodeId, Peer> next = new HashMap<>();
    for (Address member : view.getMembers()) {
      NodeId id = nodeId(member);
      Peer known = before.get(id);
      next.put(id, known == null ? new Peer(member) : known);
    }
    peers = Map.copyOf(next);
    deafness.viewed(before, next);
    calls.present(next.keySet());
    GridHost tell = host;
    if (tell != null) {
      tell.onView(next.keySet());
    }
  }

  private Set<NodeId> grid() {
    GridHost tell = host;
    return tell == null ? Set.of() : tell.lineage().grid();
  }

  private void sayLost(Peer peer) {
    BytesMessage packet = packet(peer, Deafness.words());
    // It must not come late: what is said is true now. Nor may it wait for a dead node's socket.
    packet.setFlag(org.jgroups.Message.Flag.NO_RELIABILITY);
    packet.setFlag(org.jgroups.Message.TransientFlag.DONT_BLOCK);
    send(packet);
  }

  private static NodeId nodeId(Address address) {
    UUID uuid = (UUID) address;
    return TopologyMapping.nodeId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  @Override
  public void close() {
    node = null;
    Exchanges shorter = exchanges;
    if (shorter != null) {
      shorter.close();
    }
    deafness.close();
    calls.close();
    fork.close();
  }
}
