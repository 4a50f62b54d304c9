package io.canopygrid.server.endpoint.netty;

import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.WorkerPool;
import io.netty.channel.Channel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the requests of one connection that wait or are being carried out. The channel reads on
 * only while there is room for more requests and the client takes its answers. For the channel's
 * event loop, where a method says nothing else.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class FlowControl {
  private static final long RETRY_MILLIS = 2;

  private final Channel channel;
  private final WorkerPool workers;
  private final EndpointLimits limits;
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final Queue<Runnable> parked = new ConcurrentLinkedQueue<>();
  private boolean released;
  private volatile boolean closed;

  FlowControl(Channel channel, WorkerPool workers, EndpointLimits limits) {
    this.channel = channel;
    this.workers = workers;
    this.limits = limits;
  }

  /** The number of requests that wait or are being carried out. */
  int pending() {
    return pending.get();
  }

  /** The same task, which counts as pending from now until it has run. */
  Runnable counted(int bytes, Runnable task) {
    pending.incrementAndGet();
    pendingBytes.addAndGet(bytes);
    readOrNot();
    return () -> {
      try {
        task.run();
      } finally {
        pendingBytes.addAndGet(-bytes);
        if (pending.decrementAndGet() == limits.requestsMax() / 2
            || !channel.config().isAutoRead()) {
          onLoop(this::readOrNot);
        }
      }
    };
  }

  private void readOrNot() {
    if (released) {
      return;
    }
    boolean read =
        channel.isWritable()
            && pending.get() < limits.requestsMax()
            && pendingBytes.get() < limits.requestBytesMax();
    if (channel.config().isAutoRead() != read) {
      channel.config().setAutoRead(read);
    }
  }

  /** Bounds nothing any more: a connection that is being closed reads all that still comes. */
  void release() {
    released = true;
  }

  /** Runs a task on a worker as soon as one is free; for any thread. */
  void schedule(Runnable task) {
    if (!workers.submit(task) && !channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().schedule(() -> schedule(task), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Runs a task on the event loop; for any thread. */
  void onLoop(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
    } else if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(task);
    }
  }

  /**
   * Keeps a task back while the client does not take its answers; for any thread.
   *
   * @return false: the client takes its answers, or has gone, and the task is not kept
   */
  boolean park(Runnable task) {
    if (closed || channel.isWritable()) {
      return false;
    }
    parked.add(task);
    return !((closed || channel.isWritable()) && parked.remove(task));
  }

  /** The client has begun or ceased to take its answers. */
  void writabilityChanged() {
    if (channel.isWritable()) {
      unpark();
    }
    readOrNot();
  }

  /** The channel is closed: the tasks that were kept back run, since they free what they hold. */
  void close() {
    closed = true;
    unpark();
  }

  private void unpark() {
    for (Runnable task = parked.poll(); task != null; task = parked.poll()) {
      schedule(task);
    }
  }
}
