package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alerts and the dashboard that operators are given go by metrics that there are. */
final class AlertsTest {
  private static final Path ALERTS = Path.of("../docs/operate/alerts.yaml");
  private static final Path DASHBOARD = Path.of("../docs/operate/grafana.json");
  private static final Path PAGE = Path.of("../docs/operate/operations.md");
  private static final Pattern METRIC = Pattern.compile("\\b(?:canopy|jvm|process)_[a-z_]+");

  @Test
  void everyMetricOfTheAlertsExists() throws Exception {
    Set<String> named = metrics(expressions());
    assertThat(named).contains("canopy_node_ready", "canopy_cluster_copies_wanted");

    assertThat(shown()).containsAll(named);
  }

  /** Some are of nodes with data on disk, which this one has not. */
  @Test
  void everyMetricOfTheDashboardIsExplained() throws Exception {
    Set<String> named = new TreeSet<>();
    for (JsonNode expression : new ObjectMapper().readTree(DASHBOARD.toFile()).findValues("expr")) {
      named.addAll(metrics(expression.asText()));
    }
    assertThat(named).contains("canopy_node_ready", "canopy_node_data_free_bytes");

    Set<String> known = new TreeSet<>(shown());
    Set<String> onDisk = metrics(Files.readString(PAGE));
    onDisk.removeIf(name -> !name.matches("canopy_node_(data|entries|cold)_.*"));
    known.addAll(onDisk);
    known.add("jvm_gc_pause_seconds_max"); // shown once there was a pause
    assertThat(known).containsAll(named);
  }

  @Test
  void theMetricsOfTheGridAreExplained() throws Exception {
    Set<String> ofGrid =
        shown().stream()
            .filter(name -> name.matches("canopy_(cluster|node|grid)_.*"))
            .filter(name -> !name.equals("canopy_node_topology"))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> explained = metrics(Files.readString(PAGE));
    explained.add("canopy_node_shards_owned"); // in the row of the primaries, as "_owned"

    assertThat(explained).containsAll(ofGrid);
  }

  private static String expressions() throws IOException {
    return Files.readString(ALERTS)
        .lines()
        .filter(line -> line.strip().startsWith("expr:"))
        .collect(Collectors.joining("\n"));
  }

  /** The names that a server shows after an error that it has told a client. */
  private static Set<String> shown() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS);
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + server.address())) {
      fail(client);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + server.address() + "/metrics")).build();
      String page =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      return page.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.replaceFirst("[{ ].*", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void fail(RemoteCanopy client) {
    try {
      client.describe("nothing");
      throw new AssertionError("there is an index 'nothing'");
    } catch (CanopyException e) {
      assertThat(e.code()).isNotNull();
    }
  }

  private static Set<String> metrics(String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = METRIC.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }
}
