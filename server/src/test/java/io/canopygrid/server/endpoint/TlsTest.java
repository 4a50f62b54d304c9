package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.pem.CertificateMaker;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.PemTls;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that trusted clients connect over TLS; plaintext, untrusted and expired certificates are
 * refused.
 */
final class TlsTest {
  private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

  @TempDir private Path directory;

  private TestServer server(String... keytoolOptions) {
    CertificateMaker.writeForServer(directory, HOSTS, List.of(keytoolOptions));
    return TestServer.withTls(
        new PemTls(directory.resolve("cert.pem"), directory.resolve("key.pem")));
  }

  private RemoteCanopy connect(TestServer server, Path trusted) {
    return RemoteCanopy.connect(
        "canopys://" + server.address(),
        ClientOptions.DEFAULTS.withTls(trusted).withConnectTimeout(Duration.ofSeconds(5)));
  }

  @Test
  void aTrustedServerIsTalkedTo() {
    try (TestServer server = server();
        RemoteCanopy db = connect(server, directory.resolve("ca.pem"))) {
      assertThat(db.indexes()).isEmpty();
    }
  }

  @Test
  void plaintextIsRefusedWhereTlsIsSpoken() throws Exception {
    try (TestServer server = server();
        LogLines log = new LogLines();
        TestClient client = new TestClient(server.port())) {
      client.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "plain"));
      assertThat(client.hear(ClientMessage.Goodbye.class).code())
          .isEqualTo(ErrorCode.PROTOCOL_ERROR.number());
      assertThat(client.hearsTheEnd()).isTrue();
      refused(
          () -> RemoteCanopy.connect("canopy://" + server.address()).close(),
          ErrorCode.PROTOCOL_ERROR,
          "this port speaks TLS only");
      assertThat(log.warnings(ErrorCode.PROTOCOL_ERROR))
          .hasSize(2)
          .allMatch(line -> line.contains("this port speaks TLS only"));
      assertThat(plainHttp(server)).startsWith("HTTP/1.1 400 ").contains("speaks TLS only");
    }
  }

  private static String plainHttp(TestServer server) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void tlsIsRefusedWhereItIsNotSpoken() {
    CertificateMaker.writeForServer(directory, HOSTS, List.of());
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS);
        LogLines log = new LogLines()) {
      refused(
          () -> connect(server, directory.resolve("ca.pem")).close(),
          ErrorCode.PROTOCOL_ERROR,
          "the port does not speak TLS");
      assertThat(log.warnings(ErrorCode.PROTOCOL_ERROR))
          .singleElement()
          .asString()
          .contains("this port does not speak TLS");
    }
  }

  @Test
  void anExpiredCertificateIsRefused() {
    try (TestServer server = server("-startdate", "-3d", "-validity", "1");
        LogLines log = new LogLines()) {
      refused(
          () -> connect(server, directory.resolve("ca.pem")).close(),
          ErrorCode.NOT_CONNECTED,
          "the server's certificate has expired");
      assertTlsRefusalIsLogged(log);
    }
  }

  @Test
  void aStrangerIsRefused() {
    Path other = directory.resolve("other");
    CertificateMaker.writeForServer(other, HOSTS, List.of());
    try (TestServer server = server();
        LogLines log = new LogLines()) {
      refused(
          () -> connect(server, other.resolve("ca.pem")).close(),
          ErrorCode.NOT_CONNECTED,
          "the server's certificate is not trusted");
      assertTlsRefusalIsLogged(log);
    }
  }

  /** The client's alert comes a moment after its error. */
  private static void assertTlsRefusalIsLogged(LogLines log) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() ->
            assertThat(log.warnings(ErrorCode.PROTOCOL_ERROR))
                .singleElement()
                .asString()
                .contains("TLS: ", "alert"));
  }

  private static void refused(ThrowingCallable call, ErrorCode code, String why) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aFileThatIsNoCertificateIsAnErrorThatSaysSo() {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> new PemTls(directory.resolve("none.pem"), directory.resolve("key.pem")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID));
  }
}
