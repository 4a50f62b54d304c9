package io.canopygrid.gmu.infinispan.exchange;

import io.canopygrid.gmu.infinispan.FreePort;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import io.canopygrid.gmu.infinispan.tls.SecuredSockets;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;

/** A member of a cluster on Canopy's stack, which says texts to others. */
final class Member implements ExchangeChannel, AutoCloseable {
  static final String GRID = "grid";

  final JChannel channel;
  final int port;
  final Exchanges exchanges;

  /** The messages that this member has received. */
  final Queue<String> heard = new ConcurrentLinkedQueue<>();

  /** The threads that took in the messages. */
  final Queue<Thread> hearers = new ConcurrentLinkedQueue<>();

  /** The messages sent through the channel, which delivers nothing here. */
  final Queue<String> sent = new ConcurrentLinkedQueue<>();

  /** The reaction of this member to a message. */
  volatile BiConsumer<Address, String> reaction = (from, text) -> {};

  /**
   * Joins those before it.
   *
   * @param identity by which the members know each other; null: they have none
   * @param more what else its stack has, right below what decides about members
   */
  Member(List<Member> before, @Nullable NodeIdentity identity, Protocol... more) throws Exception {
    port = FreePort.pick();
    try (InputStream stack = Exchanges.class.getResourceAsStream("../canopy-stack.xml")) {
      if (stack == null) {
        throw new IOException("not on the class path");
      }
      channel = new JChannel(stack);
    }
    InetAddress here = InetAddress.getLoopbackAddress();
    List<InetSocketAddress> hosts = new ArrayList<>();
    hosts.add(new InetSocketAddress(here, port));
    before.forEach(member -> hosts.add(new InetSocketAddress(here, member.port)));
    TP transport = channel.getProtocolStack().getTransport();
    transport.setBindAddress(here);
    transport.setBindPort(port);
    channel.getProtocolStack().<FD_SOCK2>findProtocol(FD_SOCK2.class).setBindAddress(here);
    channel.getProtocolStack().<TCPPING>findProtocol(TCPPING.class).setInitialHosts(hosts);
    for (Protocol one : more) {
      one.init();
      channel.getProtocolStack().insertProtocol(one, ProtocolStack.Position.BELOW, GMS.class);
    }
    ExchangeProtocol protocol = channel.getProtocolStack().findProtocol(ExchangeProtocol.class);
    if (identity != null) {
      transport.setSocketFactory(SecuredSockets.of(identity));
      protocol.identity(identity);
    }
    exchanges = protocol.join(GRID, this);
    channel.connect("exchanges");
  }

  Address address() {
    return channel.getAddress();
  }

  /** Says something that it waits to be answered; false: it went through the channel. */
  boolean ask(Address to, String text) {
    return exchanges.asks(to, bytes(text)) || viaChannel(to, text);
  }

  /** Says something; false: it went through the channel. */
  boolean say(Address to, String text) {
    return exchanges.answers(to, bytes(text)) || viaChannel(to, text);
  }

  /** As if nothing had been said yet. */
  void forget() {
    heard.clear();
    hearers.clear();
    sent.clear();
  }

  private boolean viaChannel(Address to, String text) {
    send(to, bytes(text));
    return false;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void received(Address from, byte[] bytes, int offset, int length) {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    heard.add(text);
    hearers.add(Thread.currentThread());
    reaction.accept(from, text);
  }

  @Override
  public void send(Address to, ByteBuffer message) {
    sent.add(StandardCharsets.UTF_8.decode(message.duplicate()).toString());
  }

  @Override
  public void close() {
    exchanges.close();
    channel.close();
  }
}
