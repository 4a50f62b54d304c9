package io.canopygrid.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** The hot entries on the screen Heat. */
final class HotScreen {
  /** There is a picture of hot entries. */
  static final String BARS = "document.querySelector('.bar-parts')";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SHOWN_MAX = Duration.ofMinutes(1);

  private HotScreen() {}

  /** Checks that each hot entry and each node stands in its table as the API tells it. */
  static void isAsTold(Browser browser, ConsoleServers servers) {
    Awaitility.await()
        .atMost(SHOWN_MAX)
        .untilAsserted(() -> {
          JsonNode told = servers.get("/hot-entries");
          Map<String, String> names = names(servers);
          assertThat(told.get("mode").asText()).isEqualTo("on");
          assertThat(browser.text("[aria-labelledby=h-hot-entries] .statement"))
              .isEqualTo(told.get("what").asText());
          List<List<String>> rows = rows(browser, "Hot entries, the most");
          assertThat(rows).isNotEmpty().hasSameSizeAs(told.get("entries"));
          for (JsonNode entry : told.get("entries")) {
            assertThat(rows)
                .anySatisfy(row -> assertThat(row.subList(0, 4)).isEqualTo(cells(entry, names)));
          }
          assertThat(rows(browser, "Hot entries by node"))
              .hasSize(names.size())
              .allSatisfy(row -> assertThat(row.get(1)).isEqualTo("on"));
          assertThat(browser.evaluate("document.querySelectorAll('.bar-parts').length").asInt())
              .isEqualTo(rows.size());
        });
  }

  private static List<String> cells(JsonNode entry, Map<String, String> names) {
    List<String> copies = JSON.convertValue(entry.get("copies"), new TypeReference<>() {});
    String at = String.join(", ", copies.stream().map(names::get).sorted().toList());
    return List.of(
        entry.get("index").asText(),
        entry.get("key").asText(),
        String.valueOf(names.get(entry.get("node").asText())),
        at.isEmpty() ? "no node" : at);
  }

  /** The names of the nodes by their ids. */
  private static Map<String, String> names(ConsoleServers servers)
      throws IOException, InterruptedException {
    Map<String, String> names = new TreeMap<>();
    for (JsonNode node : servers.get("/cluster").get("nodes")) {
      names.put(node.get("node").asText(), node.get("name").asText());
    }
    return names;
  }

  private static List<List<String>> rows(Browser browser, String caption) {
    return JSON.convertValue(
        browser.evaluate(TableOf.rows(caption)), new TypeReference<List<List<String>>>() {});
  }
}
