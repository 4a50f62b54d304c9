package io.canopygrid.gmu.infinispan.exchange;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.List;

/**
 * Frames over a connection that blocks: the length of what follows in four bytes, then messages,
 * each with its length before it in four bytes. Confined to one thread at a time, except {@link
 * #close}, {@link #isOverdue} and {@link #isIdle}.
 */
final class BlockingConnection implements AutoCloseable {
  /** Bytes of the messages of one frame, with their lengths. */
  static final int FRAME_BYTES_MAX = 64 << 10;

  private static final int FIRST_CAPACITY = 2 << 10;
  private static final long NOTHING_DUE = Long.MAX_VALUE;

  private final ByteChannel channel;
  private ByteBuffer out = ByteBuffer.allocate(FIRST_CAPACITY);

  /** From its position to its limit the bytes that have come and were not handed out. */
  private ByteBuffer in = ByteBuffer.allocate(FIRST_CAPACITY).limit(0);

  /** The time at which an answer has to be there. */
  private volatile long due = NOTHING_DUE;

  /** The time at which it was last given back; for the thread that looks for idle connections. */
  private volatile long idleSince;

  /** Takes in one message, which the array holds until the method returns. */
  @FunctionalInterface
  interface Receiver {
    void received(byte[] bytes, int offset, int length);
  }

  /** Frames over a channel that blocks, and takes buffers that have an array. */
  BlockingConnection(ByteChannel channel) {
    this.channel = channel;
  }

  /** Bytes that a message takes in a frame. */
  static int bytesInFrame(ByteBuffer message) {
    return Integer.BYTES + message.remaining();
  }

  /** Sends one frame, which may have no message. */
  void write(List<ByteBuffer> messages) throws IOException {
    int length = 0;
    for (ByteBuffer message : messages) {
      length += bytesInFrame(message);
    }
    if (out.capacity() < Integer.BYTES + length) {
      out = ByteBuffer.allocate(Math.max(2 * out.capacity(), Integer.BYTES + length));
    }
    out.clear().putInt(length);
    for (ByteBuffer message : messages) {
      out.putInt(message.remaining()).put(message.duplicate());
    }
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  /**
   * Waits for one frame and hands out its messages.
   *
   * @throws EOFException where the other side has closed the connection
   */
  void read(Receiver receiver) throws IOException {
    fill(Integer.BYTES);
    int length = in.getInt();
    if (length < 0 || length > FRAME_BYTES_MAX) {
      throw new IOException("a frame of " + length + " bytes");
    }
    fill(length);
    final int end = in.position() + length;
    while (in.position() < end) {
      int bytes = end - in.position() < Integer.BYTES ? -1 : in.getInt();
      if (bytes < 0 || bytes > end - in.position()) {
        throw new IOException("a message that does not end with its frame");
      }
      int at = in.position();
      in.position(at + bytes);
      receiver.received(in.array(), at, bytes);
    }
  }

  /** Reads until so many bytes are there. */
  private void fill(int bytes) throws IOException {
    if (in.remaining() >= bytes) {
      return;
    }
    if (in.capacity() < bytes) {
      in = ByteBuffer.allocate(bytes).put(in);
    } else {
      in.compact();
    }
    try {
      while (in.position() < bytes) {
        if (channel.read(in) < 0) {
          throw new EOFException("closed by the other side");
        }
      }
    } finally {
      in.flip();
    }
  }

  /** From now on an answer is waited for, no longer than until then. */
  void awaits(long dueNanos) {
    due = dueNanos;
  }

  /** Nothing is waited for. */
  void rests(long nowNanos) {
    due = NOTHING_DUE;
    idleSince = nowNanos;
  }

  /** Whether an answer has not come in time. Any thread. */
  boolean isOverdue(long nowNanos) {
    long when = due;
    return when != NOTHING_DUE && nowNanos - when > 0;
  }

  /** Whether no thread has used it for so long. Any thread. */
  boolean isIdle(long nowNanos, long nanos) {
    return due == NOTHING_DUE && nowNanos - idleSince > nanos;
  }

  /** Ends it; a thread that waits for it goes on with an exception. Any thread. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // The connection is given up in any case.
    }
  }
}
