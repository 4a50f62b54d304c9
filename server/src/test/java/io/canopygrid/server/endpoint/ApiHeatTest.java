package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The uses of keys in the last hour, by HTTP. */
final class ApiHeatTest {
  private static TestServer server;
  private static ApiCaller api;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    api.index("warm", "int64", "string");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void whatIsWrittenIsThereOnceItsStepHasEnded() throws Exception {
    JsonNode before = api.get("/indexes/warm/heat").ok();
    assertThat(before.get("stepSeconds").asInt()).isEqualTo(10);
    assertThat(before.get("steps").asInt()).isEqualTo(360);
    assertThat(before.get("ranges").get(0).get("from").asText()).isEqualTo("(first)");
    for (int key = 0; key < 100; key++) {
      assertThat(api.put("/indexes/warm/entries/" + key, "{\"value\":\"x\"}").status())
          .isEqualTo(204);
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !api.get("/indexes/warm/heat?minutes=5").ok().get("cells").isEmpty());
    JsonNode cell = api.get("/indexes/warm/heat?minutes=5").ok().get("cells").get(0);
    assertThat(cell.get(3).asDouble()).as("writes per second of %s", cell).isPositive();
  }

  @Test
  void wrongParametersAreNamed() throws Exception {
    for (String wrong :
        new String[] {
          "minutes=0",
          "minutes=61",
          "ranges=0",
          "ranges=257",
          "from=xyz",
          "to=0",
          "from=02&to=01",
          "form=02"
        }) {
      api.get("/indexes/warm/heat?" + wrong).is(400, ErrorCode.INVALID_ARGUMENT);
    }
    api.get("/indexes/none/heat").is(404, ErrorCode.UNKNOWN_INDEX);
  }
}
