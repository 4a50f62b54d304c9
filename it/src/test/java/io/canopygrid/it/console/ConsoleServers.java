package io.canopygrid.it.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three servers whose clients must log in, with two indexes. */
final class ConsoleServers implements AutoCloseable {
  static final String USER = "admin";
  static final String PASSWORD = "pa:ss wörd";
  static final int ENTRIES = 3_000;

  private static final int SERVERS = 3;
  private static final int BATCH = 500;
  private static final long PAUSE_MILLIS = 50;
  private static final long LOAD_KIB = 4_096;
  private static final int READERS = 4;
  private static final int HOT_READS = 48;
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final String MAIN = "io.canopygrid.server.cli.Main";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();
  private volatile boolean works = true;

  /** Starts them together, which takes as long as one, and fills the indexes. */
  static ConsoleServers start(Path directory) throws IOException, InterruptedException {
    ConsoleServers all = new ConsoleServers();
    try {
      all.startServers(directory);
      all.fill();
      return all;
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private void startServers(Path directory) throws IOException, InterruptedException {
    Path password = directory.resolve("admin");
    Files.writeString(password, PASSWORD + "\n");
    List<Integer> ports = FreePorts.pick(SERVERS);
    String members =
        ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    for (int i = 0; i < SERVERS; i++) {
      List<String> command = JavaCommand.ofThisJvm();
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
      command.addAll(List.of("-cp", JavaCommand.classPath(), MAIN, "server"));
      command.addAll(List.of("--attached", "--abandon", "--name", "console", "--shards", "32"));
      command.addAll(List.of("--node-name", "vm" + (i + 1), "--join", members));
      command.addAll(List.of("--hot-entries", "auto"));
      command.addAll(List.of("--port", Integer.toString(ports.get(i)), "--client-port", "0"));
      command.addAll(List.of("--authenticate", "--admin-password-file", password.toString()));
      servers.add(ServerProcess.start("vm" + (i + 1), command, Narrator.onStandardError()));
    }
    for (ServerProcess server : servers) {
      addresses.add(server.awaitReady(START_MAX));
    }
  }

  private void fill() throws IOException, InterruptedException {
    send("PUT", "/indexes/accounts", "{\"keys\":\"string\",\"values\":\"int64\"}");
    send("PUT", "/indexes/notes", "{\"keys\":\"int64\",\"values\":\"json(any)\"}");
    for (int from = 0; from < ENTRIES; from += BATCH) {
      String operations =
          IntStream.range(from, from + BATCH)
              .mapToObj(i ->
                  String.format(
                      Locale.ROOT,
                      "{\"op\":\"put\",\"index\":\"accounts\",\"key\":\"account-%06d\",\"value\":%d}",
                      i,
                      100 + i % 7))
              .collect(Collectors.joining(","));
      send("POST", "/transactions", "{\"label\":\"fill\",\"operations\":[" + operations + "]}");
    }
    pay();
  }

  /**
   * Reads and writes entries at all ends of an index in one transaction, and is told how it went.
   */
  JsonNode pay() throws IOException, InterruptedException {
    String body =
        """
        {"label": "payment", "explain": true, "operations": [
          {"op": "get", "index": "accounts", "key": "account-000001"},
          {"op": "get", "index": "accounts", "key": "account-001500"},
          {"op": "get", "index": "accounts", "key": "account-002999"},
          {"op": "put", "index": "accounts", "key": "account-000001", "value": 70},
          {"op": "put", "index": "accounts", "key": "account-001500", "value": 130}]}
        """;
    return send("POST", "/transactions", body).get("explain");
  }

  /** Tells the second server of a load, until somebody cancels it; how it ended. */
  CompletableFuture<String> load() {
    return CompletableFuture.supplyAsync(() -> {
      ClientOptions options = ClientOptions.DEFAULTS.as(USER, PASSWORD);
      try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + addresses.get(1), options)) {
        JobTeller job = new JobTeller(db, JobReport.Kind.LOAD, "accounts", "accounts.csv", "KiB");
        job.over(() -> {
          for (long done = 1; works; done++) {
            job.reached(done, LOAD_KIB);
            Thread.sleep(PAUSE_MILLIS);
          }
        });
        return "it has ended";
      } catch (CanopyException | InterruptedException e) {
        return String.valueOf(e.getMessage());
      }
    });
  }

  /** Cancels all loads that are told of. */
  void cancelLoads() throws IOException, InterruptedException {
    for (JsonNode job : get("/jobs").get("jobs")) {
      if (job.get("cancellable").asBoolean()) {
        send("POST", "/jobs/" + job.get("id").asText() + "/cancel", "");
      }
    }
  }

  /** Reads a few entries so often that they are hot, until it is closed. */
  AutoCloseable readHot() {
    AtomicBoolean reads = new AtomicBoolean(true);
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    for (int i = 0; i < READERS; i++) {
      readers.execute(() -> readHot(() -> works && reads.get()));
    }
    return () -> {
      reads.set(false);
      readers.shutdown();
      if (!readers.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the readers do not end");
      }
    };
  }

  private void readHot(BooleanSupplier goesOn) {
    ClientOptions options = ClientOptions.DEFAULTS.as(USER, PASSWORD);
    TransactionOptions nearest = TransactionOptions.DEFAULTS.withReadFrom(ReadFrom.NEAREST);
    try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + addresses.get(1), options)) {
      Index<String, Long> accounts = db.index("accounts", Codec.string(), Codec.int64());
      while (goesOn.getAsBoolean()) {
        db.read(
            nearest.withLabel("hot"),
            tx ->
                IntStream.range(0, HOT_READS)
                    .filter(i -> tx.on(accounts).get(hotKey(i)) != null)
                    .count());
      }
    }
  }

  /** Some of the hot entries are read more than others. */
  private static String hotKey(int read) {
    return String.format(Locale.ROOT, "account-%06d", (read % 2 == 0 ? 0 : read % 3) * 1_000);
  }

  /** Begins to change entries, some more than others, until the servers end. */
  void work() {
    Thread worker = new Thread(this::change, "console-work");
    worker.setDaemon(true);
    worker.start();
  }

  private void change() {
    SplittableRandom random = new SplittableRandom(1);
    try {
      while (works) {
        int key = random.nextBoolean() ? random.nextInt(ENTRIES / 10) : random.nextInt(ENTRIES);
        put(key);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Puts an entry; a server that is killed just then takes none. */
  private void put(int key) throws InterruptedException {
    String operation =
        String.format(
            Locale.ROOT,
            "{\"op\":\"put\",\"index\":\"accounts\",\"key\":\"account-%06d\",\"value\":1}",
            key);
    try {
      send("POST", "/transactions", "{\"label\":\"transfer\",\"operations\":[" + operation + "]}");
    } catch (IOException e) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Kills the last server, as kill -9 does. */
  void killLast() {
    servers.get(servers.size() - 1).kill();
  }

  /** The beginning of all paths of the first server. */
  String server() {
    return "http://" + addresses.get(0);
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  /** The answer to a request, which is no error. */
  JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
    String login = Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server() + "/api/v1" + path))
            .header("authorization", "Basic " + login)
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("content-type", "application/json");
    }
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(method + " " + path + ": " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  @Override
  public void close() {
    works = false;
    servers.forEach(ServerProcess::kill);
    servers.forEach(ServerProcess::close);
  }
}
