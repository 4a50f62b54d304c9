package io.canopygrid.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unpacks the archive, and runs what is in it. */
@Timeout(300)
final class ArchiveIT {
  private static final int PORT_FIRST = 31_800;
  private static final int PORT_END = 32_768;
  private static final int PORTS_TRIED_MOST = 100;

  @TempDir static Path directory = Path.of("");
  private static Path home = Path.of("");

  @BeforeAll
  static void unpack() throws Exception {
    Path archive = Path.of(System.getProperty("canopy.archive"));
    Run run = run(directory, List.of("tar", "xzf", archive.toString()), Map.of());
    assertThat(run.exitCode()).as(run.output()).isZero();
    try (Stream<Path> unpacked = Files.list(directory)) {
      home = unpacked.findFirst().orElseThrow();
    }
  }

  @Test
  void whatAServerNeedsIsThere() {
    assertThat(home.resolve("bin/canopy")).isExecutable();
    assertThat(
            List.of(
                "LICENSE",
                "README.md",
                "conf/canopy.yaml",
                "conf/canopy.schema.json",
                "conf/canopy.env",
                "systemd/canopy.service",
                "docs/operate/operations.md",
                "docs/reference/configuration.md"))
        .allSatisfy(file -> assertThat(home.resolve(file)).isNotEmptyFile());
    assertThat(home.resolve("docs").resolve("operate"))
        .isDirectoryContaining("glob:**/alerts.yaml")
        .isDirectoryContaining("glob:**/grafana.json");
  }

  @Test
  void theConfigurationThatComesAlongIsRight() throws Exception {
    Run run = canopy("config", "check", "conf/canopy.yaml");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(canopy("config", "example").output())
        .isEqualTo(Files.readString(home.resolve("conf/canopy.yaml")));
  }

  /** A look finds the engine, since without one it is a mistake to name a directory. */
  @Test
  void theEngineOfDataDirectoriesComesAlong() throws Exception {
    Path file = Files.writeString(directory.resolve("data.yaml"), "data:\n  directory: data\n");

    Run run = canopy("config", "check", file.toString());

    assertThat(run.exitCode()).as(run.output()).isZero();
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .anyMatch(jar -> jar.startsWith("canopy-storage-rocksdb-"))
          .anyMatch(jar -> jar.startsWith("rocksdbjni-"));
    }
  }

  @Test
  void everythingBelongsToRootAndHasTheTimeOfTheSources() throws Exception {
    Path archive = Path.of(System.getProperty("canopy.archive"));
    Run run = run(home, List.of("tar", "tvzf", archive.toString()), Map.of("TZ", "UTC"));

    assertThat(run.output().lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).containsPattern("root/root +\\d+ 2026-11-01 00:00"));
  }

  @Test
  void checksumsAreThoseOfTheFiles() throws Exception {
    Path built = Path.of(System.getProperty("canopy.packages"));
    List<String> sums;
    try (Stream<Path> files = Files.list(built)) {
      sums =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".sha256"))
              .sorted()
              .toList();
    }

    // The image is only there where it was asked for.
    assertThat(sums).hasSizeBetween(4, 5);
    for (String sum : sums) {
      Run run = run(built, List.of("sha256sum", "-c", sum), Map.of("LC_ALL", "C"));
      assertThat(run.output()).isEqualTo(sum.replace(".sha256", ": OK\n"));
    }
  }

  @Test
  void theBillOfMaterialsHasEveryLibrary() throws Exception {
    String bill =
        Files.readString(
            Path.of(System.getProperty("canopy.archive").replace(".tar.gz", "-sbom.json")));

    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .isNotEmpty()
          .allSatisfy(jar -> assertThat(bill).containsPattern(component(jar)));
    }
  }

  /** The name of a library as it is in a bill of materials, without a classifier. */
  private static String component(String jar) {
    String name = jar.replaceFirst("-[0-9].*", "");
    return "\"name\" : \"" + name.replace(".", "\\.") + "\"";
  }

  @Test
  void aWrongConfigurationEndsWithItsOwnExitCode() throws Exception {
    Path file = Files.writeString(directory.resolve("wrong.yaml"), "cluster:\n  prot: 1\n");

    Run run = canopy("server", "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.output()).contains("CNPY-5001", "wrong.yaml:2:3", "did you mean 'port'?");
  }

  @Test
  void aServerStartsIsReadyAndLeavesInOrderOnSigterm() throws Exception {
    String clients = Integer.toString(freePort());
    Path file =
        Files.writeString(
            directory.resolve("canopy.yaml"),
            "cluster:\n  name: unpacked\n  port: 0\nclients:\n  port: %s\n".formatted(clients));
    Process server =
        start(
            home,
            List.of("bin/canopy", "server", "--config", file.toString()),
            Map.of("CANOPY_JAVA_OPTIONS", "-Xmx512m", "CANOPY_LOGGING_FORMAT", "json"));
    try (BufferedReader lines = server.inputReader(UTF_8)) {
      assertThat(lines.readLine()).contains("in memory: all data is gone when all nodes stop");
      assertThat(lines.readLine()).contains("founded grid 'unpacked'");
      assertThat(lines.readLine()).startsWith("READY unpacked ").endsWith(" founded");
      assertThat(get("http://127.0.0.1:" + clients + "/health/live").statusCode()).isEqualTo(200);
      assertThat(get("http://127.0.0.1:" + clients + "/health/ready").body()).isEqualTo("ready\n");
      assertThat(get("http://127.0.0.1:" + clients + "/metrics").body())
          .contains("canopy_node_ready 1.0");

      server.destroy();

      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
    } finally {
      server.destroyForcibly();
    }
  }

  private record Run(int exitCode, String output) {}

  private static Run canopy(String... arguments) throws Exception {
    List<String> command = Stream.concat(Stream.of("bin/canopy"), Stream.of(arguments)).toList();
    return run(home, command, Map.of());
  }

  private static Run run(Path in, List<String> command, Map<String, String> environment)
      throws Exception {
    Process process = start(in, command, environment);
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }

  private static Process start(Path in, List<String> command, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    // A hanging process would block the reader of its output, in spite of the test's timeout.
    CompletableFuture.delayedExecutor(200, TimeUnit.SECONDS).execute(process::destroyForcibly);
    return process;
  }

  private static HttpResponse<String> get(String uri) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(uri)).build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  /** A port that no outgoing connection and no cluster of other tests is given meanwhile. */
  private static int freePort() throws IOException {
    for (int i = 0; i < PORTS_TRIED_MOST; i++) {
      int port = ThreadLocalRandom.current().nextInt(PORT_FIRST, PORT_END);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Another process listens there.
      }
    }
    throw new IOException("no free port from " + PORT_FIRST + " to " + (PORT_END - 1));
  }
}
