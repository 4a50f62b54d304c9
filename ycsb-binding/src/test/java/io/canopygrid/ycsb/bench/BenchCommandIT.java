package io.canopygrid.ycsb.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark and YCSB's own client as the user runs them: as processes. */
@Timeout(900)
final class BenchCommandIT {
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void threeNodesRunAllWorkloadsAndStop() throws Exception {
    Process bench =
        canopy(
            "bench ycsb --nodes 3 --records 2500 --operations 500 --warmup 0.2 --heap 256m"
                + " --placement even --workloads a,b,c,d,e,f,a/1");
    CompletableFuture<List<ProcessHandle>> servers = serversOf(bench);

    List<String> results = bench.inputReader(UTF_8).lines().toList();

    assertThat(bench.waitFor()).isZero();
    assertThat(results).hasSize(7);
    assertThat(results)
        .allSatisfy(line ->
            assertThat(line)
                .startsWith("peer=canopy workload=")
                .contains(" records=2500 operations=500 ", " errors=0 "));
    assertThat(results.get(6)).contains("workload=a threads=1 ");
    assertThat(remoteRequests(results)).as("three nodes share the data").anyMatch(n -> n > 0);
    assertThat(servers.join()).hasSize(2).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void aHotKeyIsMeasuredHereAndElsewhere() throws Exception {
    Process bench = canopy("bench hotkey --rounds 1 --seconds 0.3 --clients 4 --heap 256m");
    bench.getErrorStream().close();

    List<String> results = bench.inputReader(UTF_8).lines().toList();

    assertThat(bench.waitFor()).isZero();
    assertThat(results).hasSize(8);
    assertThat(results.subList(4, 8)).allMatch(line -> line.startsWith("median, primary "));
    assertThat(results)
        .filteredOn(line -> line.contains("primary here"))
        .hasSize(4)
        .allMatch(line -> line.endsWith(" requests per commit 0.00"));
    assertThat(results)
        .filteredOn(line -> line.contains("primary elsewhere"))
        .hasSize(4)
        .noneMatch(line -> line.endsWith(" requests per commit 0.00"));
  }

  @Test
  void serversDieWithABenchmarkThatIsKilled() throws Exception {
    Process bench = canopy("bench ycsb --nodes 3 --records 500 --seconds 100 --heap 256m");
    List<ProcessHandle> servers = serversOf(bench).get(120, TimeUnit.SECONDS);

    bench.destroyForcibly().waitFor();

    for (ProcessHandle server : servers) {
      server.onExit().get(60, TimeUnit.SECONDS);
    }
    assertThat(servers).hasSize(2).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void serversStopWithABenchmarkThatIsInterrupted() throws Exception {
    Process bench = canopy("bench ycsb --nodes 3 --records 500 --seconds 100 --heap 256m");
    List<ProcessHandle> servers = serversOf(bench).get(120, TimeUnit.SECONDS);

    bench.destroy();

    assertThat(bench.waitFor()).isNotZero();
    for (ProcessHandle server : servers) {
      server.onExit().get(60, TimeUnit.SECONDS);
    }
    assertThat(servers).hasSize(2).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void ycsbsOwnClientRunsTheBinding() throws Exception {
    Process client =
        java(
            "site.ycsb.Client",
            "-load -db io.canopygrid.ycsb.CanopyDB -threads 2 -p recordcount=100"
                + " -p workload=io.canopygrid.ycsb.TransactionalWorkload");
    client.getErrorStream().close();

    List<String> output = client.inputReader(UTF_8).lines().toList();

    assertThat(output).contains("[INSERT], Return=OK, 100");
    assertThat(client.waitFor()).isZero();
  }

  private Process canopy(String command) throws IOException {
    return java(Main.class.getName(), command);
  }

  private Process java(String main, String arguments) throws IOException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx256m", "-cp", JavaCommand.classPath(), main));
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    // A hanging process would block the reader of its output, in spite of the test's timeout.
    CompletableFuture.delayedExecutor(200, TimeUnit.SECONDS).execute(process::destroyForcibly);
    return process;
  }

  /** The server processes, known when the benchmark says that it loads; drains what it says. */
  private static CompletableFuture<List<ProcessHandle>> serversOf(Process bench) {
    CompletableFuture<List<ProcessHandle>> servers = new CompletableFuture<>();
    Thread reader =
        new Thread(() -> {
          List<String> said = new ArrayList<>();
          try (BufferedReader lines = bench.errorReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              said.add(line);
              if (line.contains("loading")) {
                servers.complete(bench.children().toList());
              }
            }
          } catch (IOException e) {
            said.add(e.toString());
          }
          servers.completeExceptionally(new AssertionError("it never loaded: " + said));
        });
    reader.setDaemon(true);
    reader.start();
    return servers;
  }

  private static List<Double> remoteRequests(List<String> results) {
    return results.stream()
        .map(line -> line.replaceFirst(".* remote_requests_per_tx=(\\S+) .*", "$1"))
        .map(Double::valueOf)
        .toList();
  }
}
