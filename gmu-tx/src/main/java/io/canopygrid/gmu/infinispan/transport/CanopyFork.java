package io.canopygrid.gmu.infinispan.transport;

import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FORK;

/** The fork of a JGroups channel through which all grids' messages go, and how to know them. */
public final class CanopyFork {
  /** The fork stack, as JGroups calls it, whose messages are Canopy's. */
  public static final String FORK_STACK = "canopy";

  private static final short FORK_ID = ClassConfigurator.getProtocolId(FORK.class);

  private CanopyFork() {}

  /** Whether a message goes through a fork for a grid. */
  static boolean carries(Message message) {
    FORK.ForkHeader header = message.getHeader(FORK_ID);
    return header != null && FORK_STACK.equals(header.getForkStackId());
  }
}
