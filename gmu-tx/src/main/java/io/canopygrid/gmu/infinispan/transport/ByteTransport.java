package io.canopygrid.gmu.infinispan.transport;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.Transport;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** Carries bytes to other members. Thread-safe; no method blocks but {@link #exchange}. */
@FunctionalInterface
public interface ByteTransport {
  /** Sends bytes, from the buffer's position to its limit. They become the transport's own. */
  void send(NodeId to, ByteBuffer bytes);

  /**
   * Sends a message that its sender says again where it hears nothing. Such a message may be lost
   * with a connection, so nothing has to be counted and remembered below.
   */
  default void sendRepeatable(NodeId to, ByteBuffer bytes) {
    send(to, bytes);
  }

  /** Sends a repeatable message that the receiver answers as soon as it has it. */
  default void ask(NodeId to, ByteBuffer bytes) {
    sendRepeatable(to, bytes);
  }

  /** {@link Transport#exchange}. */
  default boolean exchange(BooleanSupplier asking, BooleanSupplier isAnswered, long deadlineNanos) {
    return asking.getAsBoolean();
  }

  /** {@link Transport#calls}. */
  default NodeCalls calls() {
    return NodeCalls.NONE;
  }
}
