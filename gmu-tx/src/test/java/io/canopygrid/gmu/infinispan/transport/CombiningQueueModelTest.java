package io.canopygrid.gmu.infinispan.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.gmu.Interleavings;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All interleavings of a few calls of {@link CombiningQueue}, tried by Lincheck. */
@Tag("model")
final class CombiningQueueModelTest {
  private static final int PIECES_MAX = 2;

  /** So that a piece holds two messages. */
  private static final int PIECE_BYTES_MAX = 3;

  /** The two threads, and the one that runs before and after them. */
  private static final int SENDERS = 4;

  @Test
  void eachMessageIsSentOnceInOrderByOneThreadAtATime() {
    Interleavings.check(Sending.class);
  }

  private record Numbered(int sender, int number) {}

  /**
   * Threads that send, and a pool to which the rest is left. One by one every operation returns
   * true. Is meant to find a queue that counts a message before it is there, or whose count goes
   * down before the piece is sent, or which goes on after it has handed over.
   */
  public static final class Sending {
    private final int[] taken = new int[SENDERS];
    private final int[] sent = new int[SENDERS];
    private final AtomicBoolean sending = new AtomicBoolean();
    private final Queue<Runnable> pool = new ConcurrentLinkedQueue<>();
    private volatile boolean right = true;

    private final CombiningQueue<Numbered> queue =
        new CombiningQueue<>(PIECES_MAX) {
          @Override
          int bytes(Numbered message) {
            return 1;
          }

          @Override
          int pieceBytesMax() {
            return PIECE_BYTES_MAX;
          }

          @Override
          void send(List<Numbered> piece) {
            right &= sending.compareAndSet(false, true) && !piece.isEmpty();
            for (Numbered message : piece) {
              right &= message.number() == ++sent[message.sender()];
            }
            sending.set(false);
          }

          @Override
          boolean isHandedOver() {
            return pool.add(this);
          }
        };

    /** Sends a message, and others' if this thread is the first. */
    @Operation
    public boolean send(@Param(gen = ThreadIdGen.class) int sender) {
      if (queue.isFirst(new Numbered(sender, ++taken[sender]))) {
        queue.run();
      }
      return right;
    }

    /** Leaves a message to the pool. */
    @Operation
    public boolean leave(@Param(gen = ThreadIdGen.class) int sender) {
      if (queue.isFirst(new Numbered(sender, ++taken[sender]))) {
        pool.add(queue);
      }
      return right;
    }

    /** A thread of the pool. */
    @Operation
    public boolean work() {
      Runnable task = pool.poll();
      if (task != null) {
        task.run();
      }
      return right;
    }

    /** Once the pool has nothing to do all messages are sent. */
    @Validate
    public void allIsSent() {
      while (!pool.isEmpty()) {
        work();
      }
      assertEquals(0, queue.waiting());
      assertArrayEquals(taken, sent);
    }
  }
}
