package io.canopygrid.gmu.infinispan.state;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.State;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of state that wait to be sent to learners. The learners take turns, and the shards of
 * each, so that each hears something before long. The learners bound the number of chunks that
 * wait, since they ask for few shards at a time ({@link StateRequests}). Thread-safe.
 */
final class StateQueue {
  /** Chunks sent to one learner and not acknowledged. */
  static final int IN_FLIGHT_MAX = 8;

  /** After so long a chunk counts as arrived or lost, since acknowledgements can be lost too. */
  static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * The rest after a chunk, as a multiple of the processor time that the chunk has cost. Small
   * entries cost more processor time than bytes, and transactions want their part of it. The rest
   * spares a learner too, which has as much to do with a chunk: in a move that is new to them JVMs
   * compile more than they do anything else, and fast ones have no processor left for transactions.
   * So handing state on takes a quarter of a percent of the machine's processors, or one of them at
   * most.
   */
  static final int RESTS = restsOn(Runtime.getRuntime().availableProcessors());

  /** No rest is longer. */
  static final long REST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * After so long a time in one topology rests are half as long, after twice that time a quarter as
   * long, and so on. After eight times that time there are none on two processors. So a move of any
   * size takes about a minute more than it needs. A learner, which waits for its shards no longer
   * than the join timeout, has nearly half of the default timeout left.
   */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** The credit for sending at once that a time without sending gives. */
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final double NANOS_PER_SECOND = 1e9;

  private final double nanosPerByte;

  // Guarded by this object.
  private final Map<NodeId, Learner> learners = new LinkedHashMap<>();
  private boolean started;

  /** The earliest time at which all that was sent so far may have been sent. */
  private long paidUntil;

  /** The time at which this node has rested. */
  private long restedAt;

  /** The newest topology of which a chunk was sent, and the time of its first chunk. */
  private long topology = Long.MIN_VALUE;

  private long movingSince;

  /** Whether an alarm is under way: the time at which {@link #next} is to be asked again. */
  private boolean waking;

  private long wakeAt;

  StateQueue(long bytesPerSecond) {
    this.nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
  }

  /**
   * The next thing to do.
   *
   * @param chunk to be sent; null: nothing can be sent now
   * @param learner the receiver; null: none
   * @param waitNanos after which to ask again; 0: there is no need
   */
  record Turn(@Nullable State chunk, @Nullable NodeId learner, long waitNanos) {
    private static final Turn NOTHING = new Turn(null, null, 0);

    NodeId to() {
      return Invariant.present(learner, "a chunk for nobody");
    }
  }

  /** The chunks of one learner. */
  private static final class Learner {
    /** By shard, the shard whose turn it is first; no queue is empty. */
    private final Map<Integer, Deque<State>> waiting = new LinkedHashMap<>();

    /** The time at which each chunk under way was sent, the oldest first. */
    private final Map<StateAck, Long> inFlight = new LinkedHashMap<>();

    private void add(State chunk) {
      Deque<State> shard = waiting.computeIfAbsent(chunk.shard(), any -> new ArrayDeque<>());
      State other = shard.peek();
      if (other != null && isNewer(chunk, other)) {
        shard.clear();
      }
      if (other == null || !isNewer(other, chunk)) {
        shard.add(chunk);
      }
    }

    /** Whether a chunk answers a later request than another one of its shard. */
    private static boolean isNewer(State chunk, State other) {
      return chunk.topology() != other.topology()
          ? chunk.topology() > other.topology()
          : chunk.request() > other.request();
    }

    private State take(long nowNanos) {
      Map.Entry<Integer, Deque<State>> first = waiting.entrySet().iterator().next();
      State chunk = first.getValue().remove();
      waiting.remove(first.getKey());
      if (!first.getValue().isEmpty()) {
        waiting.put(first.getKey(), first.getValue());
      }
      inFlight.put(StateAck.of(chunk), nowNanos);
      Invariant.holds(
          inFlight.size() <= IN_FLIGHT_MAX, "chunks under way to one learner: %s", inFlight.size());
      return chunk;
    }

    /** For how long nothing can be sent, since too much is under way; 0: a chunk can be sent. */
    private long blockedNanos(long nowNanos) {
      Iterator<Long> sent = inFlight.values().iterator();
      while (sent.hasNext()) {
        long left = sent.next() + LOST_NANOS - nowNanos;
        if (left > 0) {
          return inFlight.size() < IN_FLIGHT_MAX ? 0 : left;
        }
        sent.remove();
      }
      return 0;
    }
  }

  synchronized void add(NodeId to, State chunk) {
    learners.computeIfAbsent(to, any -> new Learner()).add(chunk);
  }

  /** The chunk whose turn it is, which is under way from now on, or how long to wait for it. */
  synchronized Turn next(long nowNanos) {
    if (waking && nowNanos - wakeAt >= 0) {
      waking = false;
    }
    long left = started ? Math.max(paidUntil - nowNanos, restedAt - nowNanos) : 0;
    if (left > 0) {
      return isIdle() ? Turn.NOTHING : again(nowNanos, left);
    }
    long shortest = Long.MAX_VALUE;
    for (Map.Entry<NodeId, Learner> entry : learners.entrySet()) {
      Learner learner = entry.getValue();
      if (!learner.waiting.isEmpty()) {
        long blocked = learner.blockedNanos(nowNanos);
        if (blocked == 0) {
          NodeId to = entry.getKey();
          learners.remove(to);
          learners.put(to, learner);
          State chunk = learner.take(nowNanos);
          if (chunk.topology() > topology) {
            topology = chunk.topology();
            movingSince = nowNanos;
          }
          return new Turn(chunk, to, 0);
        }
        shortest = Math.min(shortest, blocked);
      }
    }
    return shortest == Long.MAX_VALUE ? Turn.NOTHING : again(nowNanos, shortest);
  }

  private boolean isIdle() {
    return learners.values().stream().allMatch(learner -> learner.waiting.isEmpty());
  }

  /** Asks for an alarm, unless an earlier one is under way. */
  private Turn again(long nowNanos, long nanos) {
    if (waking && wakeAt - nowNanos <= nanos) {
      return Turn.NOTHING;
    }
    waking = true;
    wakeAt = nowNanos + nanos;
    return new Turn(null, null, nanos);
  }

  /**
   * A chunk was sent.
   *
   * @param beganNanos when that was begun
   * @param workNanos processor time that it has taken
   */
  synchronized void sent(int bytes, long beganNanos, long nowNanos, long workNanos) {
    Invariant.holds(bytes > 0 && workNanos >= 0, "%s bytes, %s ns of work", bytes, workNanos);
    long from = beganNanos - BURST_NANOS;
    paidUntil = (started ? Math.max(paidUntil - from, 0) : 0) + from;
    paidUntil += (long) (bytes * nanosPerByte);
    restedAt = nowNanos + Math.min(restsAfter(nowNanos - movingSince) * workNanos, REST_NANOS_MAX);
    started = true;
  }

  /** The rests on a machine with so many processors. */
  static int restsOn(int processors) {
    return Math.max(0, 360 / processors - 1);
  }

  /** The rests when a move has taken so long. */
  private static long restsAfter(long nanos) {
    return RESTS >> (int) Math.min(nanos / PATIENCE_NANOS, Integer.SIZE - 1);
  }

  synchronized void acknowledged(NodeId learner, StateAck ack) {
    Learner known = learners.get(learner);
    if (known != null) {
      known.inFlight.remove(ack);
    }
  }

  /** Forgets the chunks for other nodes, and the chunks of older topologies. */
  synchronized void retain(long topology, Set<NodeId> members) {
    learners.keySet().retainAll(members);
    for (Learner learner : learners.values()) {
      learner.waiting.values().removeIf(shard -> shard.element().topology() < topology);
    }
  }
}
