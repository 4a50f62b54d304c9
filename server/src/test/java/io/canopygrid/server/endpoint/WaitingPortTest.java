package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.canopygrid.ErrorCode;
import io.canopygrid.pem.CertificateMaker;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.MissingReport;
import io.canopygrid.recovery.MissingReport.Outcome;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.netty.WaitingNode;
import io.canopygrid.server.endpoint.netty.WaitingPort;
import io.canopygrid.server.security.PemTls;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port for clients while the node waits for disks of others. */
final class WaitingPortTest {
  private static final String ADDRESS = "127.0.0.1";

  private String why = "waits for vm3";

  @TempDir Path directory;

  @Test
  void itLivesAndSaysWhyItIsNotReady() throws Exception {
    try (WaitingPort port = WaitingPort.open(ADDRESS, 0, null, () -> why)) {
      HttpClient http = HttpClient.newHttpClient();
      String root = "http://" + ADDRESS + ":" + port.number();
      assertThat(get(http, root + "/health/live")).isEqualTo("200 live\n");
      assertThat(get(http, root + "/health/ready?x")).isEqualTo("503 waits for vm3\n");
      assertThat(get(http, root + "/"))
          .startsWith("503 <!DOCTYPE html>")
          .contains("<strong>Not ready</strong>: <bdi>waits for vm3</bdi>");
      why = "waits for nobody";
      assertThat(get(http, root + "/metrics")).isEqualTo("503 waits for nobody\n");
    }
  }

  /** Waits for a disk, of which it takes any word. */
  private record Waiting(boolean isGuarded, Outcome outcome) implements WaitingNode, LostDisks {
    @Override
    public String why() {
      return "waits for vm3";
    }

    @Override
    public LostDisks disks() {
      return this;
    }

    @Override
    public MissingReport report(List<String> without) {
      return new MissingReport(
          outcome, "shop", why(), 16, List.of(), List.of(), List.of(), false, List.of(), List.of(),
          List.of());
    }

    @Override
    public MissingReport lose(List<String> without, boolean losesShards) {
      return report(without);
    }
  }

  private static List<String> audit(boolean isGuarded, Outcome outcome) throws Exception {
    try (LogLines log = new LogLines();
        WaitingPort port = WaitingPort.open(ADDRESS, 0, null, new Waiting(isGuarded, outcome))) {
      HttpRequest lose =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://%s:%d/recover?without=vm3&without=o'x&lose-shards"
                          .formatted(ADDRESS, port.number())))
              .header("canopy-command", "recover")
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(lose, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
      return log.of(Level.INFO, AuditLog.LOGGER);
    }
  }

  @Test
  void theWordThatDisksAreLostIsWrittenDown() throws Exception {
    assertThat(audit(true, Outcome.LOST))
        .singleElement()
        .asString()
        .startsWith(ADDRESS + ":")
        .endsWith(
            " takes disks 'vm3', 'o\\'x' for lost, with the shards that only they have: done");
    assertThat(audit(true, Outcome.NOT_NOW)).as("nothing has changed").isEmpty();
    assertThat(audit(false, Outcome.LOST)).as("nobody says who they are").isEmpty();
  }

  @Test
  void clientsAreToldWhyAndGoElsewhere() throws IOException {
    try (WaitingPort port = WaitingPort.open(ADDRESS, 0, null, () -> why);
        TestClient client = new TestClient(port.number())) {
      client.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "test"));
      ClientMessage.Goodbye goodbye = client.hear(ClientMessage.Goodbye.class);
      assertThat(goodbye.code()).isEqualTo(ErrorCode.NOT_CONNECTED.number());
      assertThat(goodbye.text()).isEqualTo(why);
      assertThat(client.hearsTheEnd()).isTrue();
    }
  }

  @Test
  void withTlsItSpeaksOnlyThat() throws Exception {
    CertificateMaker.writeForServer(directory, List.of(ADDRESS), List.of());
    PemTls tls = new PemTls(directory.resolve("cert.pem"), directory.resolve("key.pem"));
    try (WaitingPort port = WaitingPort.open(ADDRESS, 0, tls, () -> why);
        TestClient plain = new TestClient(port.number())) {
      HttpClient http = HttpClient.newBuilder().sslContext(trusting("ca.pem")).build();
      String root = "https://" + ADDRESS + ":" + port.number();
      assertThat(get(http, root + "/health/ready")).isEqualTo("503 waits for vm3\n");
      plain.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "test"));
      assertThat(plain.hearsTheEnd()).isTrue();
    }
  }

  @Test
  void thePortIsFreeAfterTheClose() throws IOException {
    WaitingPort first = WaitingPort.open(ADDRESS, FreePort.pick(), null, () -> why);
    try (TestClient client = new TestClient(first.number())) {
      first.close();
      assertThat(client.hearsTheEnd()).isTrue();
    }
    WaitingPort.open(ADDRESS, first.number(), null, () -> why).close();
  }

  private SSLContext trusting(String authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(directory.resolve(authority))) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static String get(HttpClient http, String uri) throws Exception {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }
}
