package io.canopygrid.gmu.infinispan;

import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * On top of a stack: nodes of this JVM that start do not hear what is said to all, and hear what is
 * said to them.
 *
 * <p>Public for JGroups, which makes it by name.
 */
public final class HardOfHearingProtocol extends Protocol {
  /** So many of the next starts are such. */
  static final AtomicInteger STARTS = new AtomicInteger();

  private boolean misses;

  /** For JGroups. */
  public HardOfHearingProtocol() {}

  @Override
  public void init() {
    misses = STARTS.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @Override
  public @Nullable Object up(Message message) {
    return misses && message.getDest() == null ? null : up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    if (!misses || batch.getDest() != null) {
      up_prot.up(batch);
    }
  }
}
