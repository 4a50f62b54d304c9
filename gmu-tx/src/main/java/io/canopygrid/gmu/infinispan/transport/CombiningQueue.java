package io.canopygrid.gmu.infinispan.transport;

import io.canopygrid.gmu.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The messages of many threads to one receiver, and the thread that sends them, if there is one
 * (flat combining). Each message is sent once, and those of one thread in their order. The thread
 * that {@link #isFirst} tells so has to {@link #run}, or to have it run. Thread-safe.
 */
abstract class CombiningQueue<M> implements Runnable {
  /** After a piece of so many messages other threads are likely to be about to send. */
  private static final int DENSE_MESSAGES = 2;

  private final int piecesMax;
  private final Queue<M> queue = new ConcurrentLinkedQueue<>();

  /** Messages in the queue and in the piece that is being sent. Above 0: a thread sends. */
  private final AtomicInteger waiting = new AtomicInteger();

  // For the thread that sends.
  private final List<M> piece = new ArrayList<>();

  /** Whether the last piece was of many messages. */
  private boolean dense;

  /**
   * An empty queue.
   *
   * @param piecesMax after so many pieces a thread tries to hand over the rest
   */
  CombiningQueue(int piecesMax) {
    this.piecesMax = piecesMax;
  }

  /** The size of a message. */
  abstract int bytes(M message);

  /** A piece stays below this size, unless its only message is larger. */
  abstract int pieceBytesMax();

  /** Sends one piece, on one thread at a time. Throws nothing; the list is the queue's. */
  abstract void send(List<M> piece);

  /** Has another thread {@link #run} this queue; false: there is none. */
  abstract boolean isHandedOver();

  /** Messages that were taken and are not sent. */
  final int waiting() {
    return waiting.get();
  }

  /** Takes a message. True: the caller has to see to it that it is sent. */
  final boolean isFirst(M message) {
    queue.add(message);
    return waiting.getAndIncrement() == 0;
  }

  /** Sends until nothing waits, or another thread has taken over. */
  @Override
  @SuppressWarnings("ThreadPriorityCheck") // a hint: without it pieces are smaller
  public final void run() {
    if (dense) {
      // Many threads have something to send: one system call for all that are about to.
      Thread.yield();
    }
    int pieces = 0;
    int left;
    do {
      left = waiting.addAndGet(-sendPiece(waiting.get()));
      Invariant.holds(left >= 0, "more was sent to %s than waited: %d", this, left);
      pieces++;
    } while (left > 0 && !(pieces >= piecesMax && isHandedOver()));
  }

  /**
   * Sends as many of so many messages as one piece holds.
   *
   * @return how many it has sent, at least one
   */
  private int sendPiece(int messages) {
    int bytes = 0;
    M next = queue.peek();
    while (next != null && piece.size() < messages) {
      bytes += bytes(next);
      if (!piece.isEmpty() && bytes >= pieceBytesMax()) {
        break;
      }
      piece.add(next);
      queue.remove();
      next = queue.peek();
    }
    send(piece);
    int sent = piece.size();
    dense = sent >= DENSE_MESSAGES;
    piece.clear();
    return sent;
  }
}
