package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
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
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The HTTP of servers' ports for clients. Thread-safe. */
public final class ServerHttp {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final List<String> servers;
  private final String scheme;
  private final @Nullable String login;
  private final HttpClient http;

  /**
   * The HTTP of servers.
   *
   * @param servers their addresses
   * @param trusted the certificates to trust; null: those of the JDK
   * @param login user:password, for paths of the API; null: none
   */
  ServerHttp(List<String> servers, boolean tls, @Nullable Path trusted, @Nullable String login) {
    this.servers = List.copyOf(servers);
    this.scheme = tls ? "https" : "http";
    this.login = login;
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
    if (tls && trusted != null) {
      builder.sslContext(trusting(trusted));
    }
    this.http = builder.build();
  }

  /** The servers that the user has named. */
  public List<String> servers() {
    return servers;
  }

  /** The texts that must be in no file: the password. */
  public List<String> secrets() {
    return login == null ? List.of() : List.of(login.substring(login.indexOf(':') + 1));
  }

  /** A request to a server, without login. */
  HttpRequest.Builder request(String server, String path) {
    return HttpRequest.newBuilder(uri(server, path)).timeout(TIMEOUT);
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /**
   * Gets a path of a server, as the user. A password goes to other machines by TLS only.
   *
   * @throws IOException where the server does not answer, or would not get the password
   */
  public HttpResponse<String> get(String server, String path)
      throws IOException, InterruptedException {
    return sendAsUser(server, path, request(server, path));
  }

  /** The same with a request that may change something, and has no body. */
  HttpResponse<String> post(String server, String path) throws IOException, InterruptedException {
    return sendAsUser(
        server, path, request(server, path).POST(HttpRequest.BodyPublishers.noBody()));
  }

  private HttpResponse<String> sendAsUser(String server, String path, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    if (login != null && path.startsWith("/api/")) {
      String host = uri(server, path).getHost();
      if (scheme.equals("http") && !InetAddress.getByName(host).isLoopbackAddress()) {
        throw new IOException("a password is sent to another machine by TLS only");
      }
      byte[] text = login.getBytes(StandardCharsets.UTF_8);
      request.header("authorization", "Basic " + Base64.getEncoder().encodeToString(text));
    }
    return send(request.build());
  }

  private URI uri(String server, String path) {
    boolean hasPort = server.matches(".*[^:]:[0-9]+|\\[.*]:[0-9]+");
    String address = hasPort ? server : server + ":" + WireLimits.DEFAULT_PORT;
    try {
      return URI.create(scheme + "://" + address + path);
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
