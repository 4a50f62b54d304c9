package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.config.Configuration;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.security.Users;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The description of the HTTP API is right, and is of what is served; and the views of a server.
 */
final class ApiDescriptionTest {
  @Test
  void itDescribesEveryRouteAndNoOther() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      String text = ApiCaller.of(server).get("/openapi.json").response().body();
      ParseOptions options = new ParseOptions();
      options.setResolve(true);
      SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(text, null, options);

      assertThat(parsed.getMessages()).isEmpty();
      assertThat(parsed.getOpenAPI().getOpenapi()).isEqualTo("3.1.0");
      List<String> described = new ArrayList<>();
      parsed
          .getOpenAPI()
          .getPaths()
          .forEach((path, item) ->
              item.readOperationsMap()
                  .keySet()
                  .forEach(method -> described.add(method + " " + path)));
      assertThat(described).containsExactlyInAnyOrderElementsOf(server.endpoint().apiRoutes());
    }
  }

  @Test
  void theViewsTellWhatIsThere() throws Exception {
    Configuration settings =
        ServerConfig.load(
            null, Map.of("CANOPY_SECURITY_ADMIN_PASSWORD", "hush"), Map.of("--node-name", "n1"));
    try (EmbeddedCanopy node = EmbeddedCanopy.start();
        Endpoint endpoint =
            Endpoint.start(
                node.served(),
                new Endpoint.Settings(
                    "test",
                    "127.0.0.1",
                    0,
                    "",
                    EndpointLimits.DEFAULTS,
                    Authentication.NONE,
                    new Users(node.served()),
                    null,
                    TransactionLog.Settings.DEFAULTS,
                    false,
                    null,
                    settings.effective()))) {
      ApiCaller api = new ApiCaller(HttpClient.newHttpClient(), "http://" + endpoint.address(), "");
      api.index("things", "int64", "string");
      api.put("/indexes/things/entries/1", "{\"value\":\"one\"}");

      assertThat(api.get("/cluster").ok().toString())
          .contains("\"verdict\":\"1 of 1 nodes,", node.served().name(), endpoint.address());
      assertThat(api.get("/indexes/things").ok().toString())
          .contains("\"entries\":1", "\"cutOff\":{\"subtrees\":1", "\"from\":\"(first)\"");
      assertThat(api.get("/placement").ok().toString())
          .contains("{\"index\":\"things\",\"node\":\"" + node.served().name() + "\"");
      assertThat(api.get("/jobs").ok()).hasToString("{\"jobs\":[]}");
      assertThat(api.get("/config").ok().toString())
          .contains("\"node.name\":{\"value\":\"n1\",\"from\":\"option --node-name\"}", "(hidden)")
          .doesNotContain("hush");
      assertThat(api.get("/metrics").status()).isEqualTo(404);
    }
  }
}
