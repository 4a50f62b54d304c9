package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.Message;
import java.util.function.BooleanSupplier;

/**
 * Carries messages to other members: each arrives, once, in any order, unless a side dies. Sending
 * does not block and may be called from any thread.
 */
public interface Transport {
  void send(NodeId to, Message message);

  /**
   * Runs what asks others something, for a thread that waits for the answers next. A transport may
   * bring such answers on this thread itself, and returns when that has no more to hear so; the
   * thread then waits for what is left.
   *
   * @param isAnswered whether the thread has all that it waits for
   * @param deadlineNanos in the time of {@link System#nanoTime()}
   * @return what {@code asking} returns
   */
  default boolean exchange(BooleanSupplier asking, BooleanSupplier isAnswered, long deadlineNanos) {
    return asking.getAsBoolean();
  }

  /** What carries the questions of the layer above. */
  default NodeCalls calls() {
    return NodeCalls.NONE;
  }
}
