package io.canopygrid.gmu.infinispan.transport;

import org.jgroups.Message;
import org.jgroups.util.MaxOneThreadPerSender;
import org.jgroups.util.MessageBatch;

/**
 * Delivers Canopy's messages on the thread that has read them from the socket: to take one in takes
 * microseconds and does not block, and a thread of the pool would have to be woken for it. All
 * other messages go through the pool, as they do by default. The answers to messages that have come
 * in one piece leave in one piece.
 *
 * <p>Public for JGroups, which makes it by name: {@code message_processing_policy} of a stack file.
 */
public final class DirectDelivery extends MaxOneThreadPerSender {
  @Override
  public boolean process(Message message, boolean oob) {
    if (!oob || !CanopyFork.carries(message)) {
      return super.process(message, oob);
    }
    getTransport().passMessageUp(message, true, false, true);
    return true;
  }

  @Override
  public boolean process(MessageBatch batch, boolean oob) {
    if (!oob || !batch.stream().allMatch(CanopyFork::carries)) {
      return super.process(batch, oob);
    }
    CombiningBundler.inOnePiece(new BatchHandler(batch, false));
    return true;
  }
}
