package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * A protocol above the transport that loses one in {@link #ONE_IN} of the messages that JGroups
 * does not send again by itself. A connection that breaks loses messages in the same way.
 *
 * <p>Public for JGroups, which makes it by name.
 */
public final class LossyProtocol extends Protocol {
  static final int ONE_IN = 20;

  /** Messages of all nodes of this JVM that could be lost. */
  static final AtomicInteger SEEN = new AtomicInteger();

  /** For JGroups. */
  public LossyProtocol() {}

  @Override
  public @Nullable Object up(Message message) {
    return isLost(message) ? null : up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    batch.removeIf(LossyProtocol::isLost, true);
    if (!batch.isEmpty()) {
      up_prot.up(batch);
    }
  }

  private static boolean isLost(Message message) {
    return message.isFlagSet(Message.Flag.NO_RELIABILITY) && isNextLost();
  }

  private static boolean isNextLost() {
    return SEEN.incrementAndGet() % ONE_IN == 0;
  }

  /** Loses as many of what is said beside the channel. */
  public static final class Exchanges extends ExchangeProtocol {
    /** For JGroups. */
    public Exchanges() {}

    @Override
    protected boolean arrives(Address from) {
      return !isNextLost();
    }
  }
}
