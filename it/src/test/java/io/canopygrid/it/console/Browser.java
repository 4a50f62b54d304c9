package io.canopygrid.it.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * One page in a Chromium without a window, steered by its DevTools protocol. It collects the errors
 * of the page's console, those of its security policy included.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int SECONDS_MAX = 30;

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> errors = Collections.synchronizedList(new ArrayList<>());

  private Browser(Process process, String port) throws IOException, InterruptedException {
    this.process = process;
    HttpRequest newPage =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    String page = HTTP.send(newPage, HttpResponse.BodyHandlers.ofString()).body();
    String address = JSON.readTree(page).get("webSocketDebuggerUrl").asText();
    socket = HTTP.newWebSocketBuilder().buildAsync(URI.create(address), new Messages()).join();
    for (String domain : List.of("Runtime", "Log", "Page")) {
      call(domain + ".enable", Map.of());
    }
  }

  /** The program of a browser that is here. */
  static Optional<Path> program() {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts a browser whose profile is in a directory. */
  static Browser start(Path program, Path profile) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("output").toFile())
            .start();
    try {
      Path portFile = profile.resolve("DevToolsActivePort");
      Awaitility.await()
          .atMost(SECONDS_MAX, TimeUnit.SECONDS)
          .until(() -> Files.exists(portFile) && Files.readString(portFile).indexOf('\n') > 0);
      return new Browser(
          process, Files.readString(portFile, UTF_8).lines().findFirst().orElseThrow());
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Takes messages apart; those of one socket come one after the other. */
  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        String message = text.toString();
        text.setLength(0);
        take(message);
      }
      from.request(1);
      return null;
    }
  }

  private void take(String message) {
    try {
      JsonNode told = JSON.readTree(message);
      if (told.has("id")) {
        CompletableFuture<JsonNode> answer = answers.remove(told.get("id").asInt());
        if (answer != null) {
          answer.complete(told);
        }
        return;
      }
      JsonNode facts = told.path("params");
      boolean isError =
          switch (told.path("method").asText()) {
            case "Runtime.exceptionThrown" -> true;
            case "Runtime.consoleAPICalled" -> facts.path("type").asText().equals("error");
            case "Log.entryAdded" -> facts.path("entry").path("level").asText().equals("error");
            default -> false;
          };
      if (isError) {
        errors.add(facts.toString());
      }
    } catch (IOException e) {
      errors.add(e.toString());
    }
  }

  /** The answer to a command. */
  JsonNode call(String method, Map<String, Object> parameters) {
    int number = calls.incrementAndGet();
    ObjectNode command = JSON.createObjectNode().put("id", number).put("method", method);
    command.set("params", JSON.valueToTree(parameters));
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(number, answer);
    socket.sendText(command.toString(), true).join();
    JsonNode told = answer.orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    if (told.has("error")) {
      throw new IllegalStateException(method + ": " + told.get("error"));
    }
    return told.get("result");
  }

  /** The value of an expression in the page; of a promise what it comes to. */
  JsonNode evaluate(String expression) {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** Waits until an expression is true in the page. */
  void await(String expression) {
    Awaitility.await(expression)
        .atMost(SECONDS_MAX, TimeUnit.SECONDS)
        .pollInterval(50, TimeUnit.MILLISECONDS)
        .until(() -> evaluate("Boolean(" + expression + ")").asBoolean());
  }

  /** Waits for the only element of a selector, and returns its text. */
  String text(String selector) {
    await("document.querySelector('" + selector + "')");
    return evaluate("document.querySelector('" + selector + "').textContent").asText();
  }

  /** Opens an address. */
  void open(String address) {
    call("Page.navigate", Map.of("url", address));
  }

  /** The page is so wide from now on, and light or dark. */
  void look(int width, String scheme) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", false));
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Files that the page saves go to a directory. */
  void saveTo(Path directory) {
    call(
        "Page.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", directory.toString()));
  }

  /** A picture of the upper part of the page, at three quarters of its size. */
  byte[] picture(int width, int height) {
    return picture(0, width, height);
  }

  /** The same of a part further down. */
  byte[] picture(int top, int width, int height) {
    JsonNode picture =
        call(
            "Page.captureScreenshot",
            Map.of(
                "format",
                "png",
                "captureBeyondViewport",
                true,
                "clip",
                Map.of("x", 0, "y", top, "width", width, "height", height, "scale", 0.75)));
    return Base64.getDecoder().decode(picture.get("data").asText());
  }

  /** The errors of the page so far, which are forgotten. */
  List<String> takeErrors() {
    synchronized (errors) {
      List<String> taken = List.copyOf(errors);
      errors.clear();
      return taken;
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
