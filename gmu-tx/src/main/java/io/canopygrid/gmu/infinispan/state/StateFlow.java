package io.canopygrid.gmu.infinispan.state;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.transport.ByteTransport;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.spi.ColdState;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.wire.MessageCodec;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Stands between a node and its bytes: lets the state of shards move at a pace that all can bear,
 * and passes every other message on at once.
 *
 * <p>A learner asks for few shards at a time ({@link StateRequests}). The node that hands shards on
 * keeps the chunks, which refer to what is in the store and become bytes only when their turn has
 * come. It sends each learner at most so many chunks that the learner has not acknowledged, no more
 * bytes in a second than it may, and rests many times as long as a chunk has kept a processor busy
 * ({@link StateQueue}). Processor time counts, and not the clock: on a machine that has other work
 * the clock shows many times as much. To the protocol a chunk that waits is a chunk that travels
 * slowly. Thread-safe.
 */
public final class StateFlow implements Transport {
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ByteTransport bytes;
  private final GridLevel level;
  private final LongSupplier nanoTime;
  private final LongSupplier workTime;
  private final TaskTimer timer;
  private final StateQueue queue;
  private final StateRequests requests = new StateRequests();

  /** Reads what is on the node's disk only. */
  private volatile ColdState cold = ColdState.NONE;

  /** The thread that sends chunks, and the threads that found it sending. */
  private final AtomicInteger pumps = new AtomicInteger();

  /**
   * For one node.
   *
   * @param workTime processor time of the calling thread, in nanoseconds; negative where that is
   *     not known
   */
  StateFlow(
      long bytesPerSecond,
      ByteTransport bytes,
      GridLevel level,
      LongSupplier nanoTime,
      LongSupplier workTime,
      TaskTimer timer) {
    this.bytes = bytes;
    this.level = level;
    this.nanoTime = nanoTime;
    this.workTime = workTime;
    this.timer = timer;
    this.queue = new StateQueue(bytesPerSecond);
  }

  /** A flow by the JVM's clocks. */
  public static StateFlow of(
      long bytesPerSecond, ByteTransport bytes, GridLevel level, TaskTimer timer) {
    return new StateFlow(
        bytesPerSecond, bytes, level, System::nanoTime, StateFlow::threadTime, timer);
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
        bytes.send(to, MessageCodec.encode(request, level.level()));
      }
    } else if (isQuestion(message)) {
      bytes.ask(to, MessageCodec.encode(message, level.level()));
    } else {
      bytes.sendRepeatable(to, MessageCodec.encode(message, level.level()));
    }
  }

  /**
   * Whether a chunk has entries. An empty chunk is little work for all. In a new or emptied grid
   * all chunks are empty, and there are no transactions to spare.
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
    return bytes.exchange(asking, isAnswered, deadlineNanos);
  }

  @Override
  public NodeCalls calls() {
    return bytes.calls();
  }

  /** The values of chunks may be on the node's disk only. */
  public void readsCold(ColdState values) {
    cold = values;
  }

  /** A learner has taken in a chunk: the next chunk may go. */
  public void acknowledged(NodeId learner, StateAck ack) {
    queue.acknowledged(learner, ack);
    pump();
  }

  /** This node's copy of a shard is complete: the next shard may be asked for. */
  public void synced(long topology, int shard) {
    StateRequests.Asked next = requests.synced(topology, shard);
    if (next != null) {
      bytes.send(next.of(), MessageCodec.encode(next.request(), level.level()));
    }
  }

  /** Drops the chunks of older topologies, and the chunks for nodes that are no members. */
  public void retain(long topology, Set<NodeId> members) {
    queue.retain(topology, members);
  }

  /** Sends what is due, on one thread at a time, so that chunks keep their order and their pace. */
  private void pump() {
    if (pumps.getAndIncrement() == 0) {
      cold.run(this::sendDue);
    }
  }

  private void sendDue() {
    int seen = 1;
    do {
      long now = nanoTime.getAsLong();
      StateQueue.Turn turn = queue.next(now);
      while (turn.chunk() != null) {
        final long began = now;
        final long workedBefore = workTime.getAsLong();
        State whole = cold.complete(turn.chunk());
        ByteBuffer chunk = whole == null ? NO_BYTES : MessageCodec.encode(whole, level.level());
        if (whole != null) {
          bytes.send(turn.to(), chunk);
        }
        now = nanoTime.getAsLong();
        long worked = workedBefore < 0 ? now - began : workTime.getAsLong() - workedBefore;
        // The processor time of a thread can become unknown at any moment, and is negative then.
        queue.sent(
            Math.max(1, chunk.remaining()),
            began,
            now,
            hasEntries(turn.chunk()) ? Math.max(0, worked) : 0);
        turn = queue.next(now);
      }
      if (turn.waitNanos() > 0) {
        timer.run(this::pump, turn.waitNanos());
      }
      seen = pumps.addAndGet(-seen);
    } while (seen > 0);
  }
}
