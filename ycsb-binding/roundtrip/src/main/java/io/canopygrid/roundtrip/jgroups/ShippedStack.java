package io.canopygrid.roundtrip.jgroups;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jgroups.JChannel;

/** A member of a pair on the stack that JGroups ships for TCP. Asks from one thread at a time. */
public final class ShippedStack implements AutoCloseable {
  private final JChannel channel;
  private final Requests requests;

  /**
   * Joins, or founds the group.
   *
   * @param ports of the members before, and of this one, which is the last
   * @param answers what it answers the other
   */
  public ShippedStack(List<Integer> ports, UnaryOperator<byte[]> answers) throws IOException {
    channel = Group.SHIPPED.join(ports);
    requests = new Requests(channel, answers);
  }

  /** The other member's answer to a request of JGroups. */
  public byte[] ask(byte[] question) throws IOException {
    return requests.ask(question);
  }

  @Override
  public void close() throws IOException {
    requests.close();
    channel.close();
  }
}
