package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.release.Release;
import io.canopygrid.server.security.Users;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** The page for people at the port for clients. */
final class ServerPageTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static HttpResponse<String> page(String address, String method, String path)
      throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> page, String name) {
    return page.headers().firstValue(name).orElse("");
  }

  @Test
  void itTellsWhatTheServerIsAndLinksToItsPages() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      HttpResponse<String> page = page(server.address(), "GET", "/");

      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
      String node = server.node().served().name();
      assertThat(page.body())
          .contains("<html lang=\"en\">", "<title>Canopy server of cluster test</title>")
          .contains("<strong>Ready</strong>", node + ", this one", Release.version())
          .contains(server.node().grid().id().toString())
          .contains("\"/health/live\"", "\"/health/ready\"", "\"/metrics\"");
      for (String path : new String[] {"/health/live", "/health/ready", "/metrics"}) {
        assertThat(page(server.address(), "GET", path).statusCode()).as(path).isEqualTo(200);
      }
    }
  }

  /** All that it is made of stands in it, and the policy allows exactly that. */
  @Test
  void theBrowserMayRunAndLoadNothing() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      HttpResponse<String> page = page(server.address(), "GET", "/");

      String body = page.body();
      String style = body.substring(body.indexOf("<style>") + 7, body.indexOf("</style>"));
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
      assertThat(header(page, "content-security-policy"))
          .startsWith("default-src 'none'; style-src 'sha256-")
          .contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'")
          .contains("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(header(page, "x-content-type-options")).isEqualTo("nosniff");
      assertThat(body).doesNotContain("<script", "style=\"", "onclick", "src=", "url(", "http:");
    }
  }

  @Test
  void headHasTheHeadersOnly() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      HttpResponse<String> head = page(server.address(), "HEAD", "/?x");

      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(header(head, "content-type")).startsWith("text/html");
      assertThat(Long.parseLong(header(head, "content-length"))).isGreaterThan(1_000);
      assertThat(page(server.address(), "POST", "/").statusCode()).isEqualTo(405);
    }
  }

  @Test
  void withUsersItTellsNoMoreThanTheProtocolDoesBeforeTheLogin() throws Exception {
    try (TestServer server = TestServer.guarded()) {
      HttpResponse<String> page = page(server.address(), "GET", "/");

      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body())
          .contains("must log in", server.node().served().name(), "\"/metrics\"")
          .doesNotContain("<table", "this one", Release.version());
    }
  }

  @Test
  void namesAreEscapedAndThePageIsWellFormed() throws Exception {
    try (EmbeddedCanopy node = EmbeddedCanopy.start();
        Endpoint endpoint =
            Endpoint.start(
                node.served(),
                new Endpoint.Settings(
                    "</title><script>\"'&\u202e\u0007",
                    "127.0.0.1",
                    0,
                    "",
                    EndpointLimits.DEFAULTS,
                    Authentication.NONE,
                    new Users(node.served()),
                    null))) {
      String body = page(endpoint.address(), "GET", "/").body();

      assertThat(body)
          .contains("&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;\ufffd\ufffd")
          .doesNotContain("<script");
      assertWellFormed(body);
    }
  }

  /** Every element ends where it must, but for those of HTML that have no end. */
  private static void assertWellFormed(String html) throws Exception {
    String xml = html.replace("<!DOCTYPE html>", "").replaceAll("<meta([^>]*)>", "<meta$1/>");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }
}
