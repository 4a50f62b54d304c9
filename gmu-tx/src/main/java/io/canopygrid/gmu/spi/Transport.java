package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import java.util.function.BooleanSupplier;

/**
 * Carries messages from this node to other members.
 *
 * <p><b>Order:</b> messages may arrive in any order, and the protocol does not care. <b>Delivery:
 * </b> each message arrives once, unless one of the two sides dies or the connection breaks. A
 * message may then be lost: the protocol says it again, or a new topology makes it pointless.
 * <b>Durability:</b> none; what is under way is lost with the process. <b>Threads:</b> all methods
 * may be called from any thread, concurrently, without a lock of the node held. <b>Errors:</b> a
 * transport does not throw where a member cannot be reached; the message is lost then. An exception
 * is a bug, and goes to the caller.
 */
public interface Transport {
  /**
   * Sends a message to another member. Does not block.
   *
   * @param to not this node
   * @param message immutable; the transport may keep it until it has been sent
   */
  void send(NodeId to, Message message);

  /**
   * Runs an action that asks other members something, for a thread that waits for the answers next.
   * A transport may bring such answers on this thread itself. It returns when it has no more of
   * them to bring; the thread then waits for the rest.
   *
   * @param asking sends the questions; called once, on the calling thread
   * @param isAnswered whether the thread has all that it waits for
   * @param deadlineNanos in the time of {@link System#nanoTime()}; it returns no later
   * @return what {@code asking} returns
   */
  default boolean exchange(BooleanSupplier asking, BooleanSupplier isAnswered, long deadlineNanos) {
    return asking.getAsBoolean();
  }

  /** The calls that carry the questions of the layer above; always the same object. */
  default NodeCalls calls() {
    return NodeCalls.NONE;
  }
}
