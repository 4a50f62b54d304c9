package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.state.StateAck;
import io.canopygrid.gmu.infinispan.state.StateFlow;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.infinispan.transport.TransportListener;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.recovery.RoundMessage;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Hands on the messages of other members: the protocol's messages to the node, and each message of
 * a host to its part of this host. Thread-safe.
 */
final class HostInbox implements TransportListener {
  private final HostedNode node;
  private final ForkTransport transport;
  private final StateFlow flow;
  private final TopologyInstaller topologies;
  private final Departure departure;
  private final PlannedStops stops;
  private final BiConsumer<NodeId, HandshakeMessage> handshakes;
  private final BiConsumer<NodeId, RoundMessage> rounds;

  HostInbox(
      HostedNode node,
      ForkTransport transport,
      StateFlow flow,
      TopologyInstaller topologies,
      Departure departure,
      PlannedStops stops,
      BiConsumer<NodeId, HandshakeMessage> handshakes,
      BiConsumer<NodeId, RoundMessage> rounds) {
    this.node = node;
    this.transport = transport;
    this.flow = flow;
    this.topologies = topologies;
    this.departure = departure;
    this.stops = stops;
    this.handshakes = handshakes;
    this.rounds = rounds;
  }

  @Override
  public void enter(Runnable work) {
    node.enter(work);
  }

  @Override
  public void received(NodeId source, Message message, int bytes) {
    node.deliver(source, message);
    if (message instanceof Message.State chunk) {
      node.fetched(chunk, bytes);
      transport.send(source, ByteBuffer.wrap(StateAck.of(chunk).encode()));
    }
  }

  @Override
  public void hostMessage(NodeId source, byte[] bytes, int offset, int length) {
    if (!isHandedOn(source, bytes, offset, length)) {
      transport.notUnderstood(source, "a message of hosts of an unknown kind");
    }
  }

  private boolean isHandedOn(NodeId source, byte[] bytes, int offset, int length) {
    TopologyNotice notice = TopologyNotice.decode(bytes, offset, length);
    if (notice != null) {
      topologies.onNotice(source, notice);
      return true;
    }
    TopologyStatus status = TopologyStatus.decode(bytes, offset, length);
    if (status != null) {
      topologies.onStatus(source, status);
      return true;
    }
    StateAck ack = StateAck.decode(bytes, offset, length);
    if (ack != null) {
      flow.acknowledged(source, ack);
      return true;
    }
    LeaveTurn turn = LeaveTurn.decode(bytes, offset, length);
    if (turn != null) {
      if (turn.asks()) {
        stops.leaves();
      }
      departure.heard(source, turn);
      return true;
    }
    BackSoon stop = BackSoon.decode(bytes, offset, length);
    if (stop != null) {
      stops.heard(source, stop);
      return true;
    }
    RoundMessage said = DiskRound.decode(bytes, offset, length);
    if (said != null) {
      rounds.accept(source, said);
      return true;
    }
    HandshakeMessage handshake = HandshakeMessage.decode(bytes, offset, length);
    if (handshake != null) {
      handshakes.accept(source, handshake);
    }
    return handshake != null;
  }

  @Override
  public void viewChanged(Set<NodeId> present) {
    topologies.onView(present);
  }

  @Override
  public Set<NodeId> members() {
    return topologies.members();
  }
}
