package io.canopygrid.roundtrip.jgroups;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * A question is a message, its answer another one, sent by the thread that brings the question: as
 * a node sends and answers reads. Asks from one thread at a time.
 */
final class Messages implements Receiver, AutoCloseable {
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private static final byte QUESTION = 1;
  private static final byte ANSWER = 2;

  private final JChannel channel;
  private final UnaryOperator<byte[]> answers;
  private volatile @Nullable Thread asker;
  private volatile byte @Nullable [] answer;

  /** Creates messages on a channel, not yet connected, that becomes its own. */
  Messages(JChannel channel, UnaryOperator<byte[]> answers) {
    this.channel = channel;
    this.answers = answers;
    channel.setReceiver(this);
  }

  byte[] ask(byte[] question) throws IOException {
    answer = null;
    asker = Thread.currentThread();
    send(Group.other(channel), QUESTION, question);
    long end = System.nanoTime() + WAIT_NANOS_MAX;
    byte[] came = answer;
    while (came == null) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new IOException("no answer");
      }
      LockSupport.parkNanos(this, left);
      came = answer;
    }
    return came;
  }

  private void send(Address to, byte kind, byte[] body) {
    byte[] bytes = new byte[body.length + 1];
    bytes[0] = kind;
    System.arraycopy(body, 0, bytes, 1, body.length);
    Message message = new BytesMessage(to, bytes);
    message.setFlag(Message.Flag.OOB, Message.Flag.NO_FC);
    try {
      channel.send(message);
    } catch (Exception e) {
      throw new IllegalStateException("nothing is sent to " + to, e);
    }
  }

  @Override
  public void receive(Message message) {
    byte[] body = new byte[message.getLength() - 1];
    System.arraycopy(message.getArray(), message.getOffset() + 1, body, 0, body.length);
    if (message.getArray()[message.getOffset()] == QUESTION) {
      send(message.getSrc(), ANSWER, answers.apply(body));
    } else {
      answer = body;
      LockSupport.unpark(asker);
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
