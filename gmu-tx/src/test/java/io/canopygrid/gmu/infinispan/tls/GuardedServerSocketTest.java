package io.canopygrid.gmu.infinispan.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes come through, and nobody else does or keeps a node waiting. */
@Timeout(60)
final class GuardedServerSocketTest {
  @TempDir private static Path directory;
  private static NodeIdentity own;
  private static NodeIdentity foreign;

  private GuardedServerSocket server;
  private CompletableFuture<Socket> accepted = new CompletableFuture<>();

  @BeforeAll
  static void makeIdentities() throws IOException {
    own = Identities.of(directory.resolve("own.pem"));
    foreign = Identities.of(directory.resolve("foreign.pem"));
  }

  @BeforeEach
  void listen() throws IOException {
    server = new GuardedServerSocket(own);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    accepted = CompletableFuture.supplyAsync(this::accept);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private Socket accept() {
    try {
      return server.accept();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Socket dial() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private void assertANodeComesThrough() throws Exception {
    try (SSLSocket node = own.call(dial());
        Socket one = accepted.get(10, TimeUnit.SECONDS)) {
      node.getOutputStream().write('n');
      assertThat(one.getInputStream().read()).isEqualTo('n');
      assertThat(node.getSession().getProtocol()).isEqualTo("TLSv1.3");
    }
  }

  @Test
  void aNodeComesThrough() throws Exception {
    assertANodeComesThrough();
  }

  @Test
  void aNodeOfAnotherClusterDoesNot() throws Exception {
    assertThatThrownBy(() -> foreign.call(dial())).isInstanceOf(SSLException.class);
    assertThat(foreign.objection((InetSocketAddress) server.getLocalSocketAddress()))
        .contains("do not let each other in by TLS");
    assertANodeComesThrough();
  }

  /** The caller would accept every certificate. */
  @Test
  void whoShowsNoCertificateDoesNot() throws Exception {
    SSLSocket nobody = (SSLSocket) trustful("TLSv1.3").getSocketFactory().createSocket();
    try (nobody) {
      nobody.connect(server.getLocalSocketAddress());
      nobody.setSoTimeout(10_000);
      nobody.startHandshake();
      assertThatThrownBy(() -> nobody.getInputStream().read())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("certificate");
    }
    assertANodeComesThrough();
  }

  @Test
  void anOlderTlsIsRefused() throws Exception {
    SSLSocket old = (SSLSocket) trustful("TLSv1.2").getSocketFactory().createSocket();
    try (old) {
      old.connect(server.getLocalSocketAddress());
      old.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(old::startHandshake)
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("protocol_version");
    }
    assertANodeComesThrough();
  }

  @Test
  void whoSpeaksWithoutTlsIsTurnedAway() throws Exception {
    try (Socket plain = dial()) {
      plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
      assertThat(plain.getInputStream().readNBytes(100)).hasSizeLessThan(100);
    }
    assertANodeComesThrough();
  }

  @Test
  void silentOnesKeepNobodyWaiting() throws Exception {
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      silent.add(dial());
    }
    assertANodeComesThrough();
    for (Socket one : silent) {
      assertThat(one.getInputStream().readNBytes(100)).hasSizeLessThan(100);
      one.close();
    }
  }

  /** As a process that is stopped, whose system still takes connections. */
  @Test
  void whoDoesNotAnswerIsNotWaitedForLong() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = SecuredSockets.of(own).createSocket("test")) {
      assertThatThrownBy(() -> socket.connect(mute.getLocalSocketAddress(), 300))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("timed out");
      assertThat(socket.isClosed()).isTrue();
    }
  }

  @Test
  void nodesTalkOverTheTransportsSockets() throws Exception {
    Socket one;
    try (Socket caller = SecuredSockets.of(own).createSocket("test")) {
      caller.connect(server.getLocalSocketAddress(), 1_000);
      one = accepted.get(10, TimeUnit.SECONDS);
      one.getOutputStream().write('y');
      assertThat(caller.getInputStream().read()).isEqualTo('y');
    }
    try (one) {
      assertThat(one.getInputStream().read()).as("the caller has closed it").isNegative();
    }
  }

  @Test
  void closingEndsTheWait() throws IOException {
    server.close();
    assertThatThrownBy(accepted::join).hasRootCauseInstanceOf(SocketException.class);
  }

  private static SSLContext trustful(String protocol) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(protocol);
    context.init(null, new TrustManager[] {new Trustful()}, null);
    return context;
  }

  /** Takes every certificate. */
  private static final class Trustful implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
