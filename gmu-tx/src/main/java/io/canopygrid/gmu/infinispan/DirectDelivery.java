package io.canopygrid.gmu.infinispan;

import org.jgroups.Message;
import org.jgroups.util.MaxOneThreadPerSender;
import org.jgroups.util.MessageBatch;

/**
 * Delivers Canopy's messages on the thread that has read them from the socket, since taking one in
 * takes microseconds and does not block; a thread of the pool would have to be woken for it. All
 * others' go through the pool, as they do by default. The answers to messages that have come in one
 * piece leave in one piece.
 *
 * <p>Public for JGroups, which makes it by name: {@code message_processing_policy} of a stack file.
 */
public final class DirectDelivery extends MaxOneThreadPerSender {
  /** The fork stack, as JGroups calls it, whose messages are Canopy's. */
  public static final String FORK_STACK = "canopy";

  @Override
  public boolean process(Message message, boolean oob) {
    if (!oob || !ForkTransport.isCanopys(message)) {
      return super.process(message, oob);
    }
    getTransport().passMessageUp(message, true, false, true);
    return true;
  }

  @Override
  public boolean process(MessageBatch batch, boolean oob) {
    if (!oob || !batch.stream().allMatch(ForkTransport::isCanopys)) {
      return super.process(batch, oob);
    }
    CombiningBundler.inOnePiece(new BatchHandler(batch, false));
    return true;
  }
}
