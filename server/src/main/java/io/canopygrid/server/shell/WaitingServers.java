package io.canopygrid.server.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.recovery.MissingReport;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The servers that may wait for disks, by the HTTP of their ports for clients. */
final class WaitingServers {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> servers;
  private final String scheme;
  private final HttpClient http;

  /**
   * One server's answer.
   *
   * @param server its address
   * @param report null: it has none
   * @param waits whether it waits, or may, for all that is known
   * @param problem why there is no report; empty: there is one
   */
  record Answer(String server, @Nullable MissingReport report, boolean waits, String problem) {}

  WaitingServers(Connect connect) {
    servers = List.of(connect.describe().replaceFirst("/$", "").split(",", -1));
    scheme = connect.isTls() ? "https" : "http";
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
    Path trusted = connect.trusted();
    if (connect.isTls() && trusted != null) {
      builder.sslContext(trusting(trusted));
    }
    http = builder.build();
  }

  /** Asks all of them what would be missing without these disks, too. */
  List<Answer> ask(List<String> without) {
    return servers.stream().map(server -> send(server, without, "GET", false)).toList();
  }

  /** Says to one of them that these disks are lost. */
  Answer lose(String server, List<String> without, boolean losesShards) {
    return send(server, without, "POST", losesShards);
  }

  private Answer send(String server, List<String> without, String method, boolean losesShards) {
    List<String> query = new ArrayList<>();
    without.forEach(
        each -> query.add("without=" + URLEncoder.encode(each, StandardCharsets.UTF_8)));
    if (losesShards) {
      query.add("lose-shards");
    }
    try {
      HttpRequest request =
          HttpRequest.newBuilder(uri(server, String.join("&", query)))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .header("Canopy-Command", "recover")
              .timeout(TIMEOUT)
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == OK) {
        return new Answer(server, JSON.readValue(answer.body(), MissingReport.class), true, "");
      }
      boolean waits = answer.statusCode() != NOT_FOUND;
      return new Answer(server, null, waits, answer.body().strip());
    } catch (JsonProcessingException e) {
      return new Answer(server, null, true, "is of another release: " + e.getOriginalMessage());
    } catch (IOException e) {
      return new Answer(server, null, true, "does not answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while servers are asked", e);
    }
  }

  private URI uri(String server, String query) {
    boolean hasPort = server.matches(".*[^:]:[0-9]+|\\[.*]:[0-9]+");
    String address = hasPort ? server : server + ":" + WireLimits.DEFAULT_PORT;
    try {
      return URI.create(
          scheme + "://" + address + "/recover" + (query.isEmpty() ? "" : "?" + query));
    } catch (IllegalArgumentException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, "not a server: '" + server + "'", e);
    }
  }

  private static SSLContext trusting(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("trusted-" + number++, each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "the certificates in " + pem + " cannot be used: " + e.getMessage(),
          e);
    }
  }
}
