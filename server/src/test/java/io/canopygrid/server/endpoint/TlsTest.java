package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.security.DevCertificate;
import io.canopygrid.server.security.PemTls;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is trusted comes through; plaintext, strangers and what has expired do not. */
final class TlsTest {
  private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

  @TempDir private Path directory;

  private TestServer server(String... keytoolOptions) {
    DevCertificate.write(directory, HOSTS, List.of(keytoolOptions));
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
  void plaintextIsRefused() throws Exception {
    try (TestServer server = server();
        TestClient client = new TestClient(server.port())) {
      client.say(0, new Request.Hello(1, 1, 0, TestClient.CLIENT, "plain"));
      assertThat(client.hear(ClientMessage.Goodbye.class).code())
          .isEqualTo(ErrorCode.PROTOCOL_ERROR.number());
    }
  }

  @Test
  void anExpiredCertificateIsRefused() {
    try (TestServer server = server("-startdate", "-3d", "-validity", "1")) {
      refused(server, directory.resolve("ca.pem"));
    }
  }

  @Test
  void aStrangerIsRefused() {
    Path other = directory.resolve("other");
    DevCertificate.write(other, HOSTS, List.of());
    try (TestServer server = server()) {
      refused(server, other.resolve("ca.pem"));
    }
  }

  private void refused(TestServer server, Path trusted) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> connect(server, trusted).close())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED));
  }

  @Test
  void aFileThatIsNoCertificateIsAnErrorThatSaysSo() {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> new PemTls(directory.resolve("none.pem"), directory.resolve("key.pem")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID));
  }
}
