package io.canopygrid.client.netty;

import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.WireCodec;
import io.netty.channel.Channel;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one connection by the threads that wait for its answers: so an answer wakes nobody
 * but the thread that it is for.
 *
 * <p>One at a time is the reader: the event loop, or a thread that waits. A thread that finds
 * another one reading sleeps. The reader completes the answers of all, and when it has its own it
 * wakes a thread that sleeps to read on. The event loop gives the reading away where threads wait
 * again and again, and takes it back when none has read for a while, since somebody has to hear
 * what the server says by itself, and that the connection has ended. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what runs later reports by itself
final class SharedReading {
  /** The event loop gives the reading away to the thread that waits after so many others. */
  private static final int WAITS_BEFORE = 4;

  /** The event loop reads again when nobody has for so long, or up to twice as long. */
  private static final long LOOK_MILLIS = 10;

  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** The reader where the event loop reads. */
  private static final Object LOOP = new Object();

  private final Channel channel;
  private final SocketChannel socket;
  private final Selector selector;
  private final Frames frames;
  private final IdleStateHandler idle;
  private final Listener listener;

  /** Told, on the event loop, that the server has said something in the last while. */
  private final Runnable alive;

  /** The reader: {@link #LOOP}, the answer that a thread waits for, or null. */
  private final AtomicReference<@Nullable Object> reader = new AtomicReference<>(LOOP);

  /** Answers whose threads sleep, or are about to. */
  private final Queue<Awaited> sleepers = new ConcurrentLinkedQueue<>();

  /** The number of threads that have waited since the event loop reads. */
  private final AtomicInteger waits = new AtomicInteger();

  /** The number of times that threads have read. */
  private final AtomicInteger reads = new AtomicInteger();

  /** The same when the event loop looked last; for the event loop. */
  private int readsSeen;

  private volatile boolean closed;

  /** Hears of what comes, on the thread that reads. */
  interface Listener {
    /** A frame has come. */
    void received(WireCodec.Framed framed);

    /** Nothing more will come. */
    void broke(Exception why);
  }

  private SharedReading(
      Channel channel,
      SocketChannel socket,
      Selector selector,
      Frames frames,
      IdleStateHandler idle,
      Listener listener,
      Runnable alive) {
    this.channel = channel;
    this.socket = socket;
    this.selector = selector;
    this.frames = frames;
    this.idle = idle;
    this.listener = listener;
    this.alive = alive;
  }

  /**
   * The reading of a connection that its event loop reads so far; on the event loop.
   *
   * @param alive is told, on the event loop, that the server has said something in the last while
   * @throws IOException where the process has no room for it
   */
  static SharedReading of(
      Channel channel,
      SocketChannel socket,
      Frames frames,
      IdleStateHandler idle,
      Listener listener,
      Runnable alive)
      throws IOException {
    Selector selector = Selector.open();
    try {
      socket.register(selector, SelectionKey.OP_READ);
    } catch (IOException e) {
      selector.close();
      throw e;
    }
    return new SharedReading(channel, socket, selector, frames, idle, listener, alive);
  }

  /** Returns when the answer is there, or the time is over. */
  void await(Awaited answer, long deadlineNanos) throws InterruptedException {
    countWait();
    boolean sleeps = false;
    try {
      while (!answer.isDone()) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          return;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (!closed && reader.compareAndSet(null, answer)) {
          readFor(answer, deadlineNanos);
        } else if (!sleeps) {
          // The thread tries once more: a reader that stops from now on finds it here.
          sleepers.add(answer);
          sleeps = true;
        } else {
          LockSupport.parkNanos(this, left);
        }
      }
    } finally {
      if (sleeps) {
        sleepers.remove(answer);
        wakeOne();
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very one
  private void countWait() {
    if (reader.get() == LOOP && waits.incrementAndGet() == WAITS_BEFORE) {
      try {
        channel.eventLoop().execute(this::giveAway);
      } catch (RejectedExecutionException e) {
        // The connection ends just now.
      }
    }
  }

  private void readFor(Awaited answer, long deadlineNanos) {
    try {
      while (!answer.isDone() && !closed) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0 || Thread.currentThread().isInterrupted()) {
          return;
        }
        read(left);
      }
    } finally {
      reader.set(null);
      wakeOne();
    }
  }

  private void read(long nanos) {
    try {
      selector.select(key -> {}, nanos / NANOS_PER_MILLI + 1);
      int count = socket.read(frames.room());
      if (count < 0) {
        throw new EOFException();
      }
      if (count > 0) {
        reads.incrementAndGet();
        frames.added(count);
        for (WireCodec.Framed next = frames.next(); next != null; next = frames.next()) {
          listener.received(next);
        }
      }
    } catch (IOException
        | MalformedBytesException
        | ClosedSelectorException
        | CancelledKeyException e) {
      listener.broke(e);
    }
  }

  /** Where nobody reads, wakes a thread that sleeps, if there is one. */
  private void wakeOne() {
    if (reader.get() == null) {
      Awaited next = sleepers.peek();
      if (next != null) {
        next.wake(); // one that is done wakes the next when it goes
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very one
  private void giveAway() {
    if (!closed && reader.get() == LOOP) {
      channel.config().setAutoRead(false);
      reader.set(null);
      wakeOne();
      lookLater();
    }
  }

  private void lookLater() {
    channel.eventLoop().schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    if (closed) {
      return;
    }
    int now = reads.get();
    if (now != readsSeen) {
      readsSeen = now;
      idle.resetReadTimeout();
      idle.resetWriteTimeout();
      alive.run();
      lookLater();
    } else if (reader.compareAndSet(null, LOOP)) {
      waits.set(0);
      channel.config().setAutoRead(true);
    } else {
      lookLater();
    }
  }

  /** The connection has ended: a thread that reads it goes on. */
  void close() {
    closed = true;
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
