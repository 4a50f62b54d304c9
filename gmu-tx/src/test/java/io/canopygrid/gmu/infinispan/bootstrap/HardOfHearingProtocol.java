package io.canopygrid.gmu.infinispan.bootstrap;

import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * A protocol that drops some messages to nodes of this JVM that start. On top of a stack it drops
 * Infinispan's messages to all; right above the transport, the message that lets them into the
 * cluster.
 *
 * <p>Public for JGroups, which makes it by name.
 */
public final class HardOfHearingProtocol extends Protocol {
  /** So many of the next starts are such. */
  static final AtomicInteger STARTS = new AtomicInteger();

  /** Starts there were. */
  static final AtomicInteger STARTED = new AtomicInteger();

  private static final short MEMBERSHIP = ClassConfigurator.getProtocolId(GMS.class);

  private boolean misses;

  /** For JGroups. */
  public HardOfHearingProtocol() {}

  @Override
  public void init() {
    STARTED.incrementAndGet();
    misses = STARTS.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @Override
  public @Nullable Object up(Message message) {
    return isMissed(message) ? null : up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    batch.removeIf(this::isMissed, true);
    if (!batch.isEmpty()) {
      up_prot.up(batch);
    }
  }

  private boolean isMissed(Message message) {
    if (!misses) {
      return false;
    }
    if (getProtocolStack().getTopProtocol() == this) {
      return message.getDest() == null;
    }
    GMS.GmsHeader header = message.getHeader(MEMBERSHIP);
    return header != null && header.getType() == GMS.GmsHeader.JOIN_RSP;
  }
}
