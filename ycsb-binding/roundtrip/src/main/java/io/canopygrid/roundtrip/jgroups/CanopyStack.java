package io.canopygrid.roundtrip.jgroups;

import io.canopygrid.gmu.infinispan.transport.CanopyFork;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jgroups.JChannel;
import org.jgroups.fork.ForkChannel;
import org.jgroups.stack.ProtocolStack;

/**
 * A member of a pair on Canopy's stack, in forks such as a grid's messages go through. So messages
 * are sent and delivered as a grid's are. Asks from one thread at a time.
 */
public final class CanopyStack implements AutoCloseable {
  private final JChannel channel;
  private final ForkChannel requestFork;
  private final Requests requests;
  private final Messages messages;
  private final ExchangeRequests exchange;

  /**
   * Joins, or founds the group.
   *
   * @param ports of the members before, and of this one, which is the last
   * @param answers what it answers the other
   */
  public CanopyStack(List<Integer> ports, UnaryOperator<byte[]> answers) throws IOException {
    channel = Group.CANOPYS.join(ports);
    exchange = new ExchangeRequests(channel, answers);
    try {
      requestFork = fork(channel, "requests");
      requestFork.connect(CanopyFork.FORK_STACK);
      requests = new Requests(requestFork, answers);
      ForkChannel messageFork = fork(channel, "messages");
      messages = new Messages(messageFork, answers);
      messageFork.connect(CanopyFork.FORK_STACK);
    } catch (Exception e) {
      channel.close();
      throw new IOException("no fork of the channel: " + e.getMessage(), e);
    }
  }

  private static ForkChannel fork(JChannel channel, String name) throws Exception {
    return new ForkChannel(
        channel,
        CanopyFork.FORK_STACK,
        name,
        true,
        ProtocolStack.Position.ABOVE,
        channel.getProtocolStack().getTopProtocol().getClass());
  }

  /** The other member's answer to a request of JGroups. */
  public byte[] request(byte[] question) throws IOException {
    return requests.ask(question);
  }

  /** The other member's answer to a message, without JGroups' request and response. */
  public byte[] message(byte[] question) throws IOException {
    return messages.ask(question);
  }

  /** The other member's answer on a connection beside the channel. */
  public byte[] exchange(byte[] question) throws IOException {
    return exchange.ask(question);
  }

  @Override
  public void close() throws IOException {
    exchange.close();
    requests.close();
    messages.close();
    requestFork.close();
    channel.close();
  }
}
