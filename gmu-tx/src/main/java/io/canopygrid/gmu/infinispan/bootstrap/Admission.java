package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import io.canopygrid.gmu.infinispan.tls.SecuredSockets;
import io.canopygrid.gmu.infinispan.tls.StackProtection;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;

/** Sees to it that the ports for nodes let in nodes only, or are not open to other machines. */
final class Admission {
  private Admission() {}

  /**
   * Lets the stack know nodes by their identity, if there is one. All goes by TLS then. {@code
   * FD_SOCK2} goes, since its port has no TLS: the transport's own connections show that a process
   * has died.
   */
  static void apply(NetworkSettings network, ProtocolStack stack) {
    if (network.identity().isEmpty()) {
      return;
    }
    NodeIdentity identity = network.identity().get();
    TP transport = stack.getTransport();
    if (!(transport instanceof TCP tcp)) {
      throw new JoinException(
          Reason.STACK_UNUSABLE,
          "an identity needs a stack whose transport is TCP, not " + transport.getName(),
          null);
    }
    tcp.setSocketFactory(SecuredSockets.of(identity));
    if (stack.removeProtocol(FD_SOCK2.class) != null) {
      tcp.enableSuspectEvents(true);
    }
    ExchangeProtocol exchange = stack.findProtocol(ExchangeProtocol.class);
    if (exchange != null) {
      exchange.identity(identity);
    }
  }

  /**
   * Refuses ports that other machines reach and where anybody would be let in.
   *
   * @throws JoinException {@link Reason#UNPROTECTED}
   * @throws IOException where the address cannot be found
   */
  static void check(NetworkSettings network, ProtocolStack stack) throws IOException {
    boolean isGuarded =
        network.identity().isPresent() || network.trustsNetwork() || StackProtection.isIn(stack);
    if (!isGuarded && !InetAddress.getByName(network.bindAddress()).isLoopbackAddress()) {
      throw new JoinException(
          Reason.UNPROTECTED,
          String.format(
              Locale.ROOT,
              "at %s other machines reach the ports for nodes, and whoever reaches them could be a"
                  + " node and read everything: give all nodes an identity ('canopy cert cluster"
                  + " FILE' makes one; cluster.identity), or say that only friends are in this"
                  + " network (cluster.trustNetwork)",
              network.bindAddress()),
          null);
    }
  }
}
