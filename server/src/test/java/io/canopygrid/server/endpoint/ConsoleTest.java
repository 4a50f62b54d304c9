package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the console by HTTP. */
final class ConsoleTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.guarded();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> ask(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /** Nobody must log in for the files, which say nothing of the cluster. */
  @Test
  void thePageMayRunItsOwnFilesOnly() throws Exception {
    HttpResponse<String> page = ask("GET", "/console/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.body()).contains("<title>Canopy console</title>");
    assertThat(page.headers().allValues("content-security-policy"))
        .singleElement()
        .asString()
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
        .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe");
    assertThat(header(page, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(page, "referrer-policy")).isEqualTo("no-referrer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.js", "screens/overview.js", "libraries/uplot/uPlot.iife.min.js"})
  void scriptsHaveTheirType(String file) throws Exception {
    HttpResponse<String> script = ask("GET", "/console/" + file + "?x=1");

    assertThat(script.statusCode()).isEqualTo(200);
    assertThat(header(script, "content-type")).isEqualTo("text/javascript; charset=utf-8");
  }

  @Test
  void aBrowserThatHasAFileIsToldSo() throws Exception {
    HttpResponse<String> first = ask("GET", "/console/app.js");
    HttpResponse<String> again =
        ask("GET", "/console/app.js", "if-none-match", header(first, "etag"));
    HttpResponse<String> other = ask("GET", "/console/app.js", "if-none-match", "\"other\"");

    assertThat(header(first, "cache-control")).isEqualTo("no-cache");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "etag")).isEqualTo(header(first, "etag")).hasSize(34);
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(other.body()).isEqualTo(first.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/none.js",
        "/console/../console/app.js",
        "/console/%2e%2e/app.js",
        "/console/..%2f..%2fserver%2fconfig%2fcanopy.yaml",
        "/console/screens/",
        "/console/app.js%00"
      })
  void anUnknownPathIsNoFile(String path) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 404").contains("CNPY-3008", "/console/");
    }
  }

  @Test
  void onlyGetAndHead() throws Exception {
    HttpResponse<String> head = ask("HEAD", "/console/app.js");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(Integer.parseInt(header(head, "content-length"))).isGreaterThan(1_000);
    HttpResponse<String> deleted = ask("DELETE", "/console/app.js");
    assertThat(deleted.statusCode()).isEqualTo(405);
    assertThat(header(deleted, "allow")).isEqualTo("GET");
  }

  @Test
  void thePathWithoutItsSlashLeadsThere() throws Exception {
    HttpResponse<String> moved = ask("GET", "/console");
    assertThat(moved.statusCode()).isEqualTo(308);
    assertThat(header(moved, "location")).isEqualTo("/console/");
  }

  @Test
  void theServersPageLinksToIt() throws Exception {
    assertThat(ask("GET", "/").body()).contains("<a href=\"/console/\">");
  }

  /** A page is the last one: its answer ends the connection. */
  @Test
  void oneConnectionServesFilesTheApiAndAPage() throws Exception {
    try (TestServer open = new TestServer(EndpointLimits.DEFAULTS);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), open.port())) {
      String get = " HTTP/1.1\r\nhost: localhost\r\n";
      String[] requests = {
        "GET /console/icon.svg" + get + "\r\n",
        "GET /api/v1/indexes" + get + "\r\n",
        "GET /console/icon.svg" + get + "\r\n",
        "GET /health/live" + get + "\r\n"
      };
      StringBuilder answers = new StringBuilder();
      byte[] buffer = new byte[8_192];
      for (String request : requests) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        int read = socket.getInputStream().read(buffer);
        answers.append(new String(buffer, 0, Math.max(0, read), StandardCharsets.US_ASCII));
      }
      assertThat(answers.toString().split("HTTP/1.1 200", -1)).hasSize(5);
    }
  }
}
