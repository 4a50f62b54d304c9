package io.canopygrid.client.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name that has several addresses: the client says hello at the first one that listens. */
@Timeout(60)
final class SeveralAddressesTest {
  private static final ConnectSettings SETTINGS =
      new ConnectSettings(null, null, false, null, 30_000, 30_000);

  private static InetAddress loopback(int last) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  /** Has the same addresses for every name. */
  private static final class OneName extends InetNameResolver {
    private final List<InetAddress> addresses;

    OneName(EventExecutor thread, List<InetAddress> addresses) {
      super(thread);
      this.addresses = addresses;
    }

    @Override
    protected void doResolve(String name, Promise<InetAddress> promise) {
      promise.setSuccess(addresses.get(0));
    }

    @Override
    protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
      promise.setSuccess(addresses);
    }
  }

  private static Connector connector(List<InetAddress> addresses) {
    return new Connector(SETTINGS, new UUID(1, 2), thread -> new OneName(thread, addresses));
  }

  @Test
  void thoseThatRefuseArePassedOver() throws Exception {
    List<InetAddress> addresses = List.of(loopback(8), loopback(9), loopback(1));
    try (ServerSocket listening = new ServerSocket(0, 5, loopback(1));
        Connector connector = connector(addresses)) {
      CompletableFuture<Connection> opened =
          connector.open("shop.test", listening.getLocalPort(), null);
      try (Socket server = listening.accept()) {
        int length = new DataInputStream(server.getInputStream()).readInt();
        assertThat(length).as("of a hello").isBetween(20, 200);
      }
      assertThatThrownBy(() -> opened.get(30, TimeUnit.SECONDS))
          .as("the server has hung up")
          .hasCauseInstanceOf(LostConnectionException.class);
    }
  }

  @Test
  void whereAllRefuseTheLastOnesReasonIsTold() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 5, loopback(1))) {
      port = closed.getLocalPort();
    }
    try (Connector connector = connector(List.of(loopback(8), loopback(1)))) {
      assertThatThrownBy(() -> connector.open("shop.test", port, null).get(30, TimeUnit.SECONDS))
          .hasMessageContaining("refused");
    }
  }
}
