package io.canopygrid.it.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The console in Chromium against three servers: what it shows is what the API tells, it is usable
 * in light and dark, and the page has no error. {@code -Dcanopy.pictures=DIRECTORY} writes a
 * picture of each screen there.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ConsoleIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WIDE = 1280;
  private static final int NARROW = 800;
  private static final Duration SETTLED_MAX = Duration.ofMinutes(2);
  private static final int BALANCE_SECONDS = 5;

  @TempDir private static Path directory;
  private static ConsoleServers servers;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    Path program = Browser.program().orElse(null);
    assumeTrue(program != null, "there is no chromium");
    servers = ConsoleServers.start(directory);
    if (PageLook.isDrawn()) {
      servers.work();
    }
    browser = Browser.start(program, Files.createDirectory(directory.resolve("profile")));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
    if (servers != null) {
      servers.close();
    }
  }

  @BeforeEach
  void logIn() {
    browser.look(WIDE, "light");
    browser.open("about:blank");
    browser.open(servers.server() + "/console/");
    if (!browser.evaluate("sessionStorage.length > 0").asBoolean()) {
      browser.await("document.querySelector('form.login')");
    }
    browser.evaluate(
        "import('/console/api.js').then((api) => api.logIn('%s', '%s'))"
            .formatted(ConsoleServers.USER, ConsoleServers.PASSWORD));
    browser.await("document.querySelector('#link-state.on')");
    browser.takeErrors(); // the page was asked to log in
  }

  @AfterEach
  void thePageHadNoError() {
    assertThat(browser.takeErrors()).isEmpty();
  }

  private static void show(String screen, String ready) {
    browser.evaluate("location.hash = '#%s'".formatted(screen));
    String name = screen.replaceFirst("\\?.*", "");
    browser.await("document.querySelector('[data-screen=\"%s\"]')".formatted(name));
    browser.await(ready);
  }

  private static final String SOMETHING =
      "document.querySelectorAll('.screen tbody tr, .screen .empty:not([hidden])').length";

  private static final String ROWS = "document.querySelectorAll('.screen tbody tr')";

  /** The cells of all tables of the screen by rows. */
  private static List<List<String>> rows() throws IOException {
    JsonNode told =
        browser.evaluate(
            "[...%s].map((row) => [...row.cells].map((cell) => cell.innerText))".formatted(ROWS));
    return JSON.convertValue(told, new TypeReference<List<List<String>>>() {});
  }

  /**
   * Looks until it is as it should be. The nodes do not answer at the same moment: while the
   * balance splits, merges or moves, a subtree may be counted by two of them, or by none.
   */
  private static void settled(ThrowingRunnable look) {
    Awaitility.await().atMost(SETTLED_MAX).untilAsserted(look);
  }

  /** Waits until the accounts have been cut and placed the same way for some seconds. */
  private static void balanced() {
    settled(() -> {
      JsonNode before = servers.get("/indexes/accounts").get("subtrees");
      TimeUnit.SECONDS.sleep(BALANCE_SECONDS);
      JsonNode now = servers.get("/indexes/accounts").get("subtrees");
      assertThat(now.findValuesAsText("from")).isEqualTo(before.findValuesAsText("from"));
      assertThat(now.findValuesAsText("node")).isEqualTo(before.findValuesAsText("node"));
    });
  }

  /** The amount of a figure by its name. */
  private static String amount(String figure) {
    return browser
        .evaluate(
            "[...document.querySelectorAll('.figure')].find((one) => one.querySelector('h3')"
                + ".textContent === '%s').querySelector('.value').textContent".formatted(figure))
        .asText();
  }

  @Test
  void theLoginTellsWhatIsWrongAndLetsIn() throws Exception {
    browser.evaluate("import('/console/api.js').then((api) => api.logOut())");
    browser.await("document.querySelector('form.login')");
    submit("wrong");
    assertThat(browser.text("[role=alert]")).contains(ErrorCode.UNAUTHENTICATED.id());
    submit(ConsoleServers.PASSWORD);
    browser.await("document.querySelector('.verdict.good')");
    assertThat(browser.text(".verdict-text"))
        .isEqualTo(servers.get("/cluster").get("verdict").asText());
    assertThat(browser.text("#tools")).contains(ConsoleServers.USER);
    browser.evaluate("location.reload()");
    browser.await("document.querySelector('.verdict.good')");
    // Chromium says of each answer 401 that it failed.
    assertThat(browser.takeErrors()).allMatch(error -> error.contains("401"));
  }

  private static void submit(String password) {
    browser.await("document.querySelector('form.login')");
    browser.evaluate(
        ("document.querySelector('[name=user]').value = '%s';"
                + "document.querySelector('[name=password]').value = '%s';"
                + "document.querySelector('form.login').requestSubmit()")
            .formatted(ConsoleServers.USER, password));
    browser.await(
        "!document.querySelector('form.login') || document.querySelector('[role=alert]')");
  }

  @Test
  void theOverviewSaysWhatTheClusterSays() throws Exception {
    show("overview", "document.querySelector('.chart canvas')");
    settled(() -> {
      String verdict = servers.get("/cluster").get("verdict").asText();
      assertThat(browser.text(".verdict-text")).isEqualTo(verdict);
      assertThat(PageLook.number(amount("Entries"))).isEqualTo(ConsoleServers.ENTRIES);
    });
    assertThat(amount("Nodes")).isEqualTo("3 of 3");
    long before = commits("fill");
    for (int i = 0; i < 5; i++) {
      servers.send(
          "POST",
          "/transactions",
          "{\"label\":\"fill\",\"operations\":[{\"op\":\"put\",\"index\":\"accounts\","
              + "\"key\":\"account-000000\",\"value\":100}]}");
    }
    assertThat(commits("fill")).isEqualTo(before + 5);
    browser.await(
        "!['–', '0'].includes([...document.querySelectorAll('.figure .value')][0].textContent)");
    assertThat(amount("Latency p99")).endsWith("ms");
  }

  /** The commits with a label at all nodes. */
  private static long commits(String label) throws Exception {
    long commits = 0;
    for (JsonNode node : servers.get("/transactions").get("nodes")) {
      for (JsonNode row : node.get("labels")) {
        commits += row.get("label").asText().equals(label) ? row.get("commits").asLong() : 0;
      }
    }
    return commits;
  }

  @Test
  void theNodesHaveTheirShards() {
    show("nodes", ROWS + ".length >= 3");
    settled(() -> {
      for (JsonNode node : servers.get("/cluster").get("nodes")) {
        String name = node.get("name").asText();
        List<String> row =
            rows().stream().filter(one -> one.get(0).startsWith(name)).findFirst().orElseThrow();
        assertThat(row.get(0)).contains(node.get("address").asText());
        assertThat(row.get(1)).isEqualTo("ready");
        assertThat(PageLook.number(row.get(4))).isEqualTo(node.get("primaries").asLong());
        assertThat(PageLook.number(row.get(5))).isEqualTo(node.get("copies").asLong());
      }
    });
  }

  @Test
  void theShapeHasEachSubtree() {
    settled(() -> {
      show("overview", "true"); // so that the shape is asked for anew
      show("shape?index=accounts", "document.querySelector('.icicle')");
      JsonNode subtrees = servers.get("/indexes/accounts").get("subtrees");
      List<List<String>> rows = rows();
      assertThat(rows).hasSameSizeAs(subtrees);
      assertThat(rows.stream().mapToLong(row -> PageLook.number(row.get(3))).sum())
          .isEqualTo(ConsoleServers.ENTRIES);
      assertThat(browser.evaluate("document.querySelectorAll('.icicle .part').length").asInt())
          .isEqualTo(subtrees.size());
    });
  }

  @Test
  void thePlacementAddsUp() {
    settled(() -> {
      show("overview", "true");
      show("placement?index=accounts", ROWS + ".length >= 1");
      assertThat(PageLook.number(amount("All nodes"))).isEqualTo(ConsoleServers.ENTRIES);
      long most = 0;
      for (JsonNode row : servers.get("/placement").get("placement")) {
        if (row.get("index").asText().equals("accounts")) {
          most = Math.max(most, row.get("entries").asLong());
        }
      }
      assertThat(Double.parseDouble(amount("Skew")))
          .isEqualTo(Math.round(most * 300.0 / ConsoleServers.ENTRIES) / 100.0);
    });
  }

  @Test
  void dataIsReadAndAChangeIsConfirmed() throws Exception {
    servers.send("PUT", "/indexes/notes/entries/7", "{\"value\":{\"text\":\"old\"}}");
    show("data?index=notes&from=7&to=7", ROWS + ".length === 1");
    assertThat(rows()).containsExactly(List.of("7", "{\"text\":\"old\"}"));
    browser.evaluate("document.querySelector('[role=switch]').click()");
    browser.evaluate("document.querySelector('.row-buttons button').click()");
    browser.evaluate(
        "document.querySelector('textarea').value = '{\"text\":\"new\"}';"
            + "document.querySelector('.editor').requestSubmit()");
    assertThat(browser.text("dialog[open] dl")).contains("old", "new");
    browser.evaluate("document.querySelector('dialog .danger-button').click()");
    assertThat(browser.text(".done")).isEqualTo("Saved 7.");
    assertThat(servers.get("/indexes/notes/entries/7").get("value").get("text").asText())
        .isEqualTo("new");

    servers.send("PUT", "/indexes/notes/entries/7", "{\"value\":{\"text\":\"newer\"}}");
    browser.evaluate("document.querySelectorAll('.row-buttons button')[1].click()");
    browser.await("document.querySelector('dialog[open]')");
    browser.evaluate("document.querySelector('dialog .danger-button').click()");
    assertThat(browser.text("[role=alert]")).contains(ErrorCode.CHECK_FAILED.id());
    assertThat(servers.get("/indexes/notes/entries/7").get("value").get("text").asText())
        .isEqualTo("newer");
    assertThat(browser.takeErrors()).singleElement().asString().contains("412");
  }

  @Test
  void pagesOfDataFollowEachOther() throws Exception {
    show("data?index=accounts&prefix=account-0029", ROWS + ".length === 50");
    browser.evaluate("document.querySelector('.screen > .main-button').click()");
    browser.await(ROWS + "[0].textContent.startsWith('account-002950')");
    assertThat(rows()).hasSize(50);
    assertThat(rows().get(49).get(0)).isEqualTo("account-002999");
  }

  @Test
  void theSettingsSayWhereTheyComeFrom() throws Exception {
    show("config?filter=node.name", ROWS + ".length === 3");
    assertThat(rows()).contains(List.of("node.name", "vm1", "option --node-name"));
    assertThat(rows().get(0)).containsExactly("/health/live", "live", "200");
    show("config", ROWS + ".length > 3");
    assertThat(rows()).hasSize(2 + servers.get("/config").get("settings").size());
  }

  @Test
  void transactionsAreCountedByLabel() {
    show("transactions", ROWS + ".length >= 2");
    settled(() -> {
      List<String> fill =
          rows().stream().filter(row -> row.get(0).equals("fill")).findFirst().orElseThrow();
      assertThat(PageLook.number(fill.get(1))).isEqualTo(commits("fill"));
    });
  }

  @Test
  void oneTransactionIsExplainedStepByStep() throws Exception {
    JsonNode told = servers.pay();
    String id = told.get("transaction").asText();
    show("explain?transaction=" + id, "document.querySelector('.fall')");
    JsonNode steps = told.get("steps");
    browser.evaluate("document.querySelector('.screen details').open = true");
    assertThat(browser.evaluate("document.querySelectorAll('.fall-bar').length").asInt())
        .isEqualTo(steps.size());
    List<List<String>> rows = rows();
    int first = told.get("tries").asInt() > 1 ? told.get("tries").asInt() : 0; // rows of attempts
    for (int i = 0; i < steps.size(); i++) {
      JsonNode step = steps.get(i);
      assertThat(rows.get(first + i).get(0)).startsWith(step.get("kind").asText());
      assertThat(rows.get(first + i).get(1)).isEqualTo(step.get("what").asText());
      assertThat(rows.get(first + i).get(4))
          .isEqualTo(told.get("nodes").get(step.get("node").asText()).asText());
    }
    assertThat(rows.stream().map(row -> row.get(0))).contains(id);
    assertThat(browser.text(".statement")).startsWith("payment took ");
  }

  @Test
  void aLabelLeadsToItsTransactions() throws Exception {
    show("transactions", "document.querySelector('.screen tbody a[href*=payment]')");
    browser.evaluate("document.querySelector('.screen tbody a[href*=payment]').click()");
    browser.await("document.querySelector('[data-screen=explain] .statement')");
    assertThat(browser.text(".statement")).startsWith("payment took ");
  }

  @Test
  void aCloneHoldsTheHorizon() throws Exception {
    servers.send("PUT", "/indexes/spare", "{\"keys\":\"int64\",\"values\":\"int64\"}");
    servers.send("POST", "/indexes/spare/clones", "{\"name\":\"trial\"}");
    show("nodes", "document.querySelector('.statement')");
    browser.await(
        "document.querySelector('.statement').textContent.startsWith("
            + "\"The horizon is held back by clone 'trial' of an index, all nodes\")");
    settled(() -> {
      long versions = servers.get("/horizon").get("nodes").get(0).get("versions").asLong();
      assertThat(PageLook.number(rows().get(0).get(7).split("\n", 2)[0])).isEqualTo(versions);
    });
  }

  @Test
  void aLoadIsShownAndCancelled() throws Exception {
    CompletableFuture<String> load = servers.load();
    show("jobs", "document.querySelector('.screen .meter')");
    assertThat(browser.text(".screen tbody")).contains("load into 'accounts'", "accounts.csv");
    browser.evaluate("document.querySelector('[role=switch]').click()");
    browser.await("document.querySelector('.screen tbody button')");
    browser.evaluate("document.querySelector('.screen tbody button').click()");
    assertThat(browser.text("dialog[open] dl")).contains("load into 'accounts'");
    browser.evaluate("document.querySelector('dialog .danger-button').click()");
    assertThat(browser.text(".done")).isEqualTo("load into 'accounts' ends within seconds.");
    assertThat(load.get(1, TimeUnit.MINUTES)).contains("the job was cancelled by");
    // The balance may have begun something since, which is above it.
    browser.await("[..." + ROWS + "].some((row) => /load into.*cancelled/s.test(row.textContent))");
    browser.await(ROWS + ".length >= " + servers.get("/jobs").get("jobs").size());
  }

  private static final String SUBTREES = TableOf.caption("Subtrees of accounts");

  @Test
  void hotEntriesHaveTheirCopies() throws Exception {
    try (AutoCloseable reads = servers.readHot()) {
      show("heat?index=accounts", HotScreen.BARS);
      HotScreen.isAsTold(browser, servers);
      assertThat(reads).isNotNull();
    }
  }

  @Test
  void theHeatHasEachSubtreeAndCanBeSaved() throws Exception {
    show("heat?index=accounts", SUBTREES + "?.querySelectorAll('tbody tr').length >= 1");
    browser.saveTo(directory);
    browser.evaluate(SUBTREES + ".querySelector('.quiet-button').click()");
    Path saved = directory.resolve("canopy-heat-accounts.csv");
    Awaitility.await().until(() -> Files.exists(saved) && Files.size(saved) > 0);
    List<String> lines = Files.readAllLines(saved);
    assertThat(lines.get(0)).isEqualTo("From,Node,Load/s,Part,Reads/s,Writes/s,Entries");
    assertThat(browser.evaluate(SUBTREES + ".querySelectorAll('tbody tr').length").asInt())
        .isEqualTo(lines.size() - 1);
  }

  @Test
  void theMapOfHeatHasWhatTheApiTellsAndLeadsCloser() throws Exception {
    settled(() -> assertThat(servers.get("/indexes/accounts/heat").get("cells")).isNotEmpty());
    show("overview", "true");
    show("heat?index=accounts", "document.querySelector('.heat-map')?.width === 360");
    int ranges = servers.get("/indexes/accounts/heat").get("ranges").size();
    assertThat(browser.evaluate("document.querySelector('.heat-map').height").asInt())
        .isBetween(ranges / 2, 2 * ranges);
    String corner =
        "document.querySelector('.heat-map').getContext('2d').getImageData(0, 0, 1, 1).data[0]";
    int light = browser.evaluate(corner).asInt();
    browser.look(WIDE, "dark");
    browser.await(corner + " !== " + light);
    browser.evaluate(
        "for (const key of ['ArrowDown', 'Enter']) document.querySelector('.heat-map')"
            + ".dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))");
    browser.await("document.querySelector('.heat-map').height === 1");
    assertThat(browser.evaluate("location.hash").asText()).contains("from=");
    browser.evaluate(
        "[...document.querySelectorAll('button')].find((b) => b.innerText === 'All keys').click()");
    browser.await("document.querySelector('.heat-map').height > 1");
  }

  @Test
  void anAdministratorMovesASubtreeOnceThatIsConfirmed() throws Exception {
    balanced();
    show("shape?index=accounts", "document.querySelector('.icicle')");
    assertThat(browser.evaluate("document.querySelectorAll('.choosable').length").asInt()).isZero();
    browser.evaluate("document.querySelector('[role=switch]').click()");
    browser.evaluate("document.querySelector('.choosable').dispatchEvent(new Event('click'))");
    JsonNode first = servers.get("/indexes/accounts").get("subtrees").get(0);
    String to = browser.evaluate("document.querySelectorAll('.editor select')[1].value").asText();
    assertThat(to).isNotEqualTo(first.get("node").asText());
    browser.evaluate("document.querySelector('.editor').requestSubmit()");
    assertThat(browser.text("dialog[open] dl")).contains("accounts", first.get("from").asText());
    browser.evaluate("document.querySelector('dialog .danger-button').click()");
    browser.await("document.querySelector('.screen .done')");
    assertThat(browser.text(".screen .done")).startsWith("Done: move of the subtree");
    assertThat(servers.get("/jobs").get("jobs"))
        .filteredOn(job -> job.get("reason").asText().equals("asked"))
        .extracting(job -> job.get("job").asText() + " to " + job.get("to").asText())
        .contains("move to " + to);
  }

  /** Screens show what the API tells, also after a kill while data is written. */
  @Test
  @Order(Integer.MAX_VALUE)
  void everyScreenGoesOnWhenAServerIsKilled() throws Exception {
    show("overview", "document.querySelector('.verdict.good')");
    servers.work();
    servers.killLast();
    settled(() -> assertThat(servers.get("/cluster").get("nodes")).hasSize(2));
    browser.await(
        "[...document.querySelectorAll('.figure')].some((one) => one.innerText.includes('2 of 2'))");
    assertThat(amount("Nodes")).isEqualTo("2 of 2");
    for (String screen : screens()) {
      show(screen, SOMETHING);
    }
    show("nodes", ROWS + ".length >= 2");
    assertThat(browser.text(".screen table")).contains("vm1", "vm2").doesNotContain("vm3");
    settled(() -> {
      show("overview", "true");
      show("placement?index=accounts", ROWS + ".length >= 1");
      assertThat(PageLook.number(amount("All nodes"))).isEqualTo(ConsoleServers.ENTRIES);
    });
  }

  private static List<String> screens() {
    return List.of(
        "overview",
        "nodes",
        "shape?index=accounts",
        "placement",
        "data?index=accounts",
        "config",
        "transactions",
        "explain?label=payment",
        "jobs",
        "heat?index=accounts&minutes=5");
  }

  /** Nothing is wider than the page, and no serious fault of accessibility is there. */
  @ParameterizedTest
  @MethodSource("screens")
  void everybodyCanUseTheScreen(String screen) throws Exception {
    CompletableFuture<String> load = CompletableFuture.completedFuture("");
    AutoCloseable reads = screen.startsWith("heat") ? servers.readHot() : () -> {};
    show(screen, screen.startsWith("heat") ? HotScreen.BARS : SOMETHING);
    if (screen.equals("overview")) {
      browser.await("document.querySelectorAll('.chart canvas').length === 2");
    }
    if (screen.equals("jobs")) {
      load = servers.load();
      browser.await("document.querySelector('.screen .meter')");
      browser.evaluate("document.querySelector('[role=switch]').click()");
    }
    PageLook look = new PageLook(browser, WIDE);
    assertThat(look.faults()).as(screen).isEmpty();
    for (int width : List.of(WIDE, NARROW)) {
      browser.look(width, "light");
      assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
          .as("the width of %s at %d", screen, width)
          .isLessThanOrEqualTo(width);
    }
    look.takePictures(screen);
    reads.close();
    servers.cancelLoads();
    load.orTimeout(1, TimeUnit.MINUTES).join();
  }
}
