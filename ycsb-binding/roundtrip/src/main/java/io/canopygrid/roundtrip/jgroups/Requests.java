package io.canopygrid.roundtrip.jgroups;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.blocks.MessageDispatcher;
import org.jgroups.blocks.RequestOptions;

/**
 * JGroups' own request and response: what its {@code RpcDispatcher} is made of. Out of band, since
 * neither a look-up nor this needs an order. Asks from one thread at a time.
 */
final class Requests implements AutoCloseable {
  private static final long WAIT_MILLIS_MAX = 10_000;

  private final JChannel channel;
  private final MessageDispatcher dispatcher;
  private final RequestOptions options =
      RequestOptions.SYNC().setTimeout(WAIT_MILLIS_MAX).setFlags(Message.Flag.OOB);

  /** Creates requests on a channel that is connected; the caller closes the channel. */
  Requests(JChannel channel, UnaryOperator<byte[]> answers) {
    this.channel = channel;
    this.dispatcher =
        new MessageDispatcher(channel, question -> answers.apply(question.getObject()));
  }

  /** The other member's answer. */
  byte[] ask(byte[] question) throws IOException {
    try {
      return dispatcher.sendMessage(new BytesMessage(Group.other(channel), question), options);
    } catch (Exception e) {
      throw new IOException("no answer: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    dispatcher.close();
  }
}
