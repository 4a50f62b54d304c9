package io.canopygrid.roundtrip.jgroups;

import io.canopygrid.gmu.infinispan.exchange.ExchangeChannel;
import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import io.canopygrid.gmu.infinispan.exchange.Exchanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jspecify.annotations.Nullable;

/**
 * A question, and its answer, on a connection that the thread that asks reads from itself, as a
 * node asks and answers reads. Asks from one thread at a time.
 */
final class ExchangeRequests implements ExchangeChannel, AutoCloseable {
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final JChannel channel;
  private final UnaryOperator<byte[]> answers;
  private final Exchanges exchanges;

  /** The member that asks; null: this member answers. */
  private volatile @Nullable Thread asker;

  private byte @Nullable [] answer;

  /** Beside a channel of Canopy's stack. */
  ExchangeRequests(JChannel channel, UnaryOperator<byte[]> answers) {
    this.channel = channel;
    this.answers = answers;
    ExchangeProtocol protocol = channel.getProtocolStack().findProtocol(ExchangeProtocol.class);
    exchanges = protocol.join("exchange", this);
  }

  byte[] ask(byte[] question) throws IOException {
    answer = null;
    asker = Thread.currentThread();
    Address to = Group.other(channel);
    long end = System.nanoTime() + WAIT_NANOS_MAX;
    byte[] came = null;
    while (came == null) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("no answer");
      }
      exchanges.exchange(() -> exchanges.asks(to, ByteBuffer.wrap(question)), () -> false, end);
      came = answer;
      if (came == null) { // there is no connection yet
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
    return came;
  }

  @Override
  public void received(Address from, byte[] bytes, int offset, int length) {
    byte[] body = Arrays.copyOfRange(bytes, offset, offset + length);
    if (Thread.currentThread().equals(asker)) {
      answer = body;
    } else {
      exchanges.answers(from, ByteBuffer.wrap(answers.apply(body)));
    }
  }

  /** Sends nothing through the channel: the caller asks again. */
  @Override
  public void send(Address to, ByteBuffer message) {}

  @Override
  public void close() {
    exchanges.close();
  }
}
