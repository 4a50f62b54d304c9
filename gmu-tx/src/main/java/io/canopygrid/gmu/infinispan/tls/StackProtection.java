package io.canopygrid.gmu.infinispan.tls;

import org.jgroups.protocols.AUTH;
import org.jgroups.protocols.Encrypt;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.DefaultSocketFactory;

/** Finds out whether a JGroups stack keeps strangers out by itself. */
public final class StackProtection {
  private StackProtection() {}

  /** Whether it encrypts messages, lets nobody join without a token, or has TLS. */
  public static boolean isIn(ProtocolStack stack) {
    TP transport = stack.getTransport();
    return stack.findProtocol(Encrypt.class, AUTH.class) != null
        || (transport instanceof TCP tcp && tcp.tls().enabled())
        || !(transport.getSocketFactory() instanceof DefaultSocketFactory);
  }
}
