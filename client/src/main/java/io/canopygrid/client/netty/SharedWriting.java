package io.canopygrid.client.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The writing of one connection by the threads that have something to say. The event loop writes
 * the rest that the socket does not take at once, and all that follows until then. Guarded by the
 * connection's lock.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be sent ends the connection
final class SharedWriting {
  /** Most bytes of one write: the JDK keeps a buffer of that size for each thread that writes. */
  private static final int WRITE_BYTES_MAX = 64 << 10;

  private final Channel channel;

  /** Null: the event loop writes all, as TLS is its affair. */
  private final @Nullable SocketChannel socket;

  private final ReentrantLock lock;

  /** The number of writes that the event loop has under way. */
  private int left;

  SharedWriting(Channel channel, @Nullable SocketChannel socket, ReentrantLock lock) {
    this.channel = channel;
    this.socket = socket;
    this.lock = lock;
  }

  /** Writes whole frames behind those before; keeps the array. */
  void write(byte[] frames) {
    if (socket == null) {
      channel.writeAndFlush(Unpooled.wrappedBuffer(frames), channel.voidPromise());
      return;
    }
    try {
      int written = left == 0 ? writeNow(socket, frames) : 0;
      if (written < frames.length) {
        leave(frames, written);
      }
    } catch (IOException e) {
      channel.close(); // its end is heard of as any other
    }
  }

  private static int writeNow(SocketChannel socket, byte[] frames) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(frames);
    do {
      rest.limit(Math.min(frames.length, rest.position() + WRITE_BYTES_MAX));
      socket.write(rest);
    } while (!rest.hasRemaining() && rest.position() < frames.length);
    return rest.position();
  }

  private void leave(byte[] frames, int from) {
    left++;
    channel
        .writeAndFlush(Unpooled.wrappedBuffer(frames, from, frames.length - from))
        .addListener(done -> {
          lock.lock();
          try {
            left--;
          } finally {
            lock.unlock();
          }
        });
  }
}
