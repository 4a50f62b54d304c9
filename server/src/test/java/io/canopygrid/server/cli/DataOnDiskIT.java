package io.canopygrid.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.canopygrid.CanopyException;
import io.canopygrid.Durability;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers with data on disk are killed; one alone waits, and says so wherever it is asked. */
@Timeout(300)
final class DataOnDiskIT {
  private static final String OLDEST = "vm1";
  private static final String SECOND = "vm2";

  private final List<Server> started = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void killWhatIsLeft() throws InterruptedException {
    for (Server server : started) {
      server.kill();
    }
  }

  @Test
  void aServerThatWaitsForDisksSaysForWhich() throws Exception {
    List<Integer> ports = List.of(FreePort.pick(), FreePort.pick());
    List<Integer> clients = List.of(FreePort.pick(), FreePort.pick());
    Server oldest = start(0, ports, clients);
    assertThat(oldest.awaitLine("data directory")).contains("durability ASYNC: empty");
    oldest.awaitLine("READY ");
    Server second = start(1, ports, clients);
    second.awaitLine("READY ");
    assertStatusAndMetrics(clients.get(0));
    oldest.kill();
    second.kill();

    Server alone = start(1, ports, clients);
    assertThat(alone.awaitLine("data directory")).contains("copies of 16 of 16 shards");
    String missing = OLDEST + " at 127.0.0.1:" + ports.get(0);
    assertThat(alone.awaitLine("waits for disks")).contains("1 of the 2", missing);
    HttpResponse<String> ready = get(clients.get(1), "/health/ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("waits for disks", missing);
    assertThat(get(clients.get(1), "/health/live").statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> RemoteCanopy.connect("canopy://127.0.0.1:" + clients.get(1)))
        .isInstanceOf(CanopyException.class)
        .hasMessageContaining(missing);

    start(0, ports, clients).awaitLine("READY ");
    alone.awaitLine("READY ");
    assertThat(get(clients.get(1), "/health/ready").body()).isEqualTo("ready\n");
  }

  @Test
  void aServerLeavesForGoodAndIsNotWaitedFor() throws Exception {
    List<Integer> ports = List.of(FreePort.pick(), FreePort.pick());
    List<Integer> clients = List.of(FreePort.pick(), FreePort.pick());
    Server oldest = start(0, ports, clients);
    oldest.awaitLine("READY ");
    Server second = start(1, ports, clients);
    second.awaitLine("READY ");
    String uri = "canopy://127.0.0.1:" + clients.get(0);
    CommandRun refused = CommandRun.of("leave", OLDEST, "-c", uri);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("CNPY-4013", "too few to go on without it");
    assertThat(CommandRun.of("leave", "vm9", "-c", uri).err()).contains("no node", "vm9");

    CommandRun left = CommandRun.of("leave", SECOND, "-c", uri);
    assertThat(left.err()).isEmpty();
    assertThat(left.exitCode()).isZero();
    assertThat(second.process.waitFor()).isZero();
    oldest.kill();

    start(0, ports, clients).awaitLine("READY ");
    Server anew = start(1, ports, clients);
    assertThat(anew.awaitLine("data directory")).contains("durability ASYNC: empty");
    anew.awaitLine("READY ");
  }

  private static void assertStatusAndMetrics(int client) throws Exception {
    try (RemoteCanopy db = RemoteCanopy.connect("canopy://127.0.0.1:" + client)) {
      // A node that does not answer within two seconds is left out.
      await()
          .untilAsserted(() ->
              assertThat(db.disks().orElseThrow().nodes())
                  .hasSize(2)
                  .allSatisfy(disk -> {
                    assertThat(disk.durability()).isEqualTo(Durability.ASYNC);
                    assertThat(disk.freeBytes())
                        .isPositive()
                        .isLessThanOrEqualTo(disk.totalBytes());
                  }));
    }
    assertThat(get(client, "/metrics").body())
        .contains("canopy_node_data_info{durability=\"async\",place=\"disk\"} 1")
        .containsPattern("canopy_node_data_free_bytes [1-9]");
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private Server start(int place, List<Integer> ports, List<Integer> clients) throws IOException {
    String name = place == 0 ? OLDEST : SECOND;
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx256m", "-cp", JavaCommand.classPath()));
    command.addAll(List.of(Main.class.getName(), "server", "--name", "disks"));
    command.addAll(List.of("--node-name", name, "--shards", "16"));
    command.addAll(List.of("--port", ports.get(place).toString()));
    command.addAll(List.of("--client-port", clients.get(place).toString()));
    command.addAll(List.of("--join", "127.0.0.1:" + ports.get(1 - place)));
    command.addAll(List.of("--data-directory", directory.resolve(name).toString()));
    command.addAll(List.of("--join-timeout", "120s"));
    Server server = new Server(new ProcessBuilder(command).redirectErrorStream(true).start());
    started.add(server);
    return server;
  }

  /** A process whose output is read. */
  private static final class Server {
    private static final String END = "(the end of the output)";

    private final Process process;
    private final List<String> read = new ArrayList<>();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Server(Process process) {
      this.process = process;
      Thread reader = new Thread(this::read, "output");
      reader.setDaemon(true);
      reader.start();
      CompletableFuture.delayedExecutor(200, TimeUnit.SECONDS).execute(process::destroyForcibly);
    }

    private void read() {
      try (BufferedReader in = process.inputReader(UTF_8)) {
        in.lines().forEach(lines::add);
      } catch (IOException | UncheckedIOException e) {
        lines.add(e.toString());
      }
      lines.add(END);
    }

    /** The next line that contains a text. */
    String awaitLine(String text) throws InterruptedException {
      while (true) {
        String line = lines.take();
        read.add(line);
        assertThat(line).as("all lines: %s", read).isNotEqualTo(END);
        if (line.contains(text)) {
          return line;
        }
      }
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }
}
