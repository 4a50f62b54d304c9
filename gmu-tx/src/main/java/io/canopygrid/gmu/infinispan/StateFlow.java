package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.wire.MessageCodec;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Between a node and its wire: lets the state of shards move at a pace that all can bear, and
 * passes every other message on at once.
 *
 * <p>A joiner asks for few shards at a time ({@link StateRequests}). Who hands shards on keeps the
 * chunks, which refer to what is in the store and are bytes only when their turn has come; sends at
 * most so many to one joiner that it has not acknowledged, no more bytes in a second than it may,
 * and rests many times as long as a chunk has kept a processor busy ({@link StateQueue}); not as
 * long as sending it took by the clock, which on a machine that has other work is many times that.
 * To the protocol a chunk that waits is one that travels slowly. Thread-safe.
 */
final class StateFlow implements Transport {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Wire wire;
  private final LongSupplier nanoTime;
  private final LongSupplier workTime;
  private final Later later;
  private final StateQueue queue;
  private final StateRequests requests = new StateRequests();

  /** Of the thread that sends chunks, and those that found it sending. */
  private final AtomicInteger pumps = new AtomicInteger();

  /** Bytes to another member; does not block. */
  @FunctionalInterface
  interface Wire {
    void send(NodeId to, ByteBuffer bytes);

    /**
     * A message that its sender says again where it hears nothing, so that it may be lost with a
     * connection: nothing has to be counted and remembered below.
     */
    default void sendRepeatable(NodeId to, ByteBuffer bytes) {
      send(to, bytes);
    }

    /** Such a message that the receiver answers as soon as it has it. */
    default void ask(NodeId to, ByteBuffer bytes) {
      sendRepeatable(to, bytes);
    }

    /** {@link Transport#exchange}. */
    default boolean exchange(
        BooleanSupplier asking, BooleanSupplier isAnswered, long deadlineNanos) {
      return asking.getAsBoolean();
    }

    /** Questions beside them. */
    default NodeCalls calls() {
      return NodeCalls.NONE;
    }
  }

  /** Runs a task after some time. */
  @FunctionalInterface
  interface Later {
    void run(Runnable task, long nanos);

    /** By a timer; nobody asks what becomes of a task. */
    @SuppressWarnings("FutureReturnValueIgnored")
    static Later of(ScheduledExecutorService timer) {
      return (task, nanos) -> timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * For one node.
   *
   * @param workTime what the thread that asks has had of a processor, in nanoseconds; negative
   *     where that is not known
   */
  StateFlow(
      long bytesPerSecond, Wire wire, LongSupplier nanoTime, LongSupplier workTime, Later later) {
    this.wire = wire;
    this.nanoTime = nanoTime;
    this.workTime = workTime;
    this.later = later;
    this.queue = new StateQueue(bytesPerSecond);
  }

  /** By the JVM's clocks. */
  static StateFlow of(long bytesPerSecond, Wire wire, Later later) {
    return new StateFlow(bytesPerSecond, wire, System::nanoTime, StateFlow::threadTime, later);
  }

  private static long threadTime() {
    // Virtual threads are not measured.
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
  }

  @Override
  public void send(NodeId to, Message message) {
    if (message instanceof State chunk) {
      queue.add(to, chunk);
      pump();
    } else if (message instanceof StateRequest request) {
      if (requests.mayAsk(to, request)) {
        wire.send(to, MessageCodec.encode(request));
      }
    } else if (isQuestion(message)) {
      wire.ask(to, MessageCodec.encode(message));
    } else {
      wire.sendRepeatable(to, MessageCodec.encode(message));
    }
  }

  /**
   * A chunk without any is little work for anybody: where a grid is new, or has been emptied, all
   * are, and nobody is to be spared.
   */
  private static boolean hasEntries(State chunk) {
    return !chunk.chains().isEmpty() || !chunk.log().isEmpty() || !chunk.records().isEmpty();
  }

  private static boolean isQuestion(Message message) {
    return message instanceof Message.Read
        || message instanceof Message.Prepare
        || message instanceof Message.Decide;
  }

  @Override
  public boolean exchange(BooleanSupplier asking, BooleanSupplier isAnswered, long deadlineNanos) {
    return wire.exchange(asking, isAnswered, deadlineNanos);
  }

  @Override
  public NodeCalls calls() {
    return wire.calls();
  }

  /** A joiner has taken in a chunk. */
  void acknowledged(NodeId joiner, StateAck ack) {
    queue.acknowledged(joiner, ack);
    pump();
  }

  /** This node's copy of a shard is complete: the next shard may be asked for. */
  void synced(long topology, int shard) {
    StateRequests.Asked next = requests.synced(topology, shard);
    if (next != null) {
      wire.send(next.of(), MessageCodec.encode(next.request()));
    }
  }

  /** Chunks of older topologies are of no use to anybody, nor are those for others. */
  void retain(long topology, Set<NodeId> members) {
    queue.retain(topology, members);
  }

  /** One thread at a time, so that chunks are sent in their order and no faster than they may. */
  private void pump() {
    if (pumps.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    do {
      long now = nanoTime.getAsLong();
      StateQueue.Turn turn = queue.next(now);
      while (turn.chunk() != null) {
        final long began = now;
        final long workedBefore = workTime.getAsLong();
        ByteBuffer bytes = MessageCodec.encode(turn.chunk());
        wire.send(turn.to(), bytes);
        now = nanoTime.getAsLong();
        long worked = workedBefore < 0 ? now - began : workTime.getAsLong() - workedBefore;
        queue.sent(bytes.remaining(), began, now, hasEntries(turn.chunk()) ? worked : 0);
        turn = queue.next(now);
      }
      if (turn.waitNanos() > 0) {
        later.run(this::pump, turn.waitNanos());
      }
      seen = pumps.addAndGet(-seen);
    } while (seen > 0);
  }
}
