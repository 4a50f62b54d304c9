package io.canopygrid.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.server.endpoint.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes as processes: how they start, stop and refuse to. */
@Timeout(600)
final class ServerProcessIT {
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void aServerSaysReadyAndLeavesInOrderWhenTerminated() throws Exception {
    int port = FreePort.pick();
    Process server = server("--name", "it", "--port", Integer.toString(port));

    assertThat(readUntilReady(server))
        .last()
        .asString()
        .startsWith("READY it 127.0.0.1:" + port + " clients 127.0.0.1:")
        .matches(".* node \\S+ grid [0-9a-z]{26} since [-0-9:.TZ]+ founded");
    server.destroy();

    assertThat(exitCode(server)).isZero();
  }

  @Test
  void anAttachedServerStopsAtTheEndOfItsInput() throws Exception {
    Process server = server("--attached", "--port", "0");

    assertThat(readUntilReady(server)).last().asString().startsWith("READY ");
    server.getOutputStream().close();

    assertThat(exitCode(server)).isZero();
  }

  @Test
  void aServerThatIsNotAttachedIgnoresTheEndOfItsInput() throws Exception {
    Process server = server("--port", "0");
    server.getOutputStream().close();

    assertThat(readUntilReady(server)).last().asString().startsWith("READY ");
    assertThat(server.isAlive()).isTrue();
  }

  @Test
  void aPortInUseIsAnErrorThatSaysSo() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Process server = server("--port", Integer.toString(taken.getLocalPort()));

      List<String> output = server.inputReader(UTF_8).lines().toList();

      assertThat(exitCode(server)).isEqualTo(1);
      assertThat(output).anyMatch(line -> line.contains("CNPY-4005"));
    }
  }

  @Test
  void aServerThatStrangersReachWantsCredentials() throws Exception {
    Process server = server("--port", "0", "--client-bind", "0.0.0.0");

    List<String> output = server.inputReader(UTF_8).lines().toList();

    assertThat(exitCode(server)).isEqualTo(2);
    assertThat(output)
        .anyMatch(line -> line.contains("CNPY-5001") && line.contains("--admin-password-file"));
  }

  @Test
  void startUpPrintsFewLines() throws Exception {
    Process server = server("--port", "0");

    List<String> lines = readUntilReady(server);
    assertThat(lines).hasSizeLessThanOrEqualTo(3);
    assertThat(lines.get(0)).contains("in memory: all data is gone when all nodes stop");
  }

  private Process server(String... options) throws IOException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx256m", "-cp", JavaCommand.classPath()));
    command.addAll(List.of(Main.class.getName(), "server"));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    // A hanging process would block the reader of its output, in spite of the test's timeout.
    CompletableFuture.delayedExecutor(90, TimeUnit.SECONDS).execute(process::destroyForcibly);
    return process;
  }

  /** The lines up to the one that says ready, or all if none does. */
  private static List<String> readUntilReady(Process server) throws IOException {
    List<String> lines = new ArrayList<>();
    BufferedReader reader = server.inputReader(UTF_8);
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lines.add(line);
      if (line.startsWith("READY ")) {
        break;
      }
    }
    return lines;
  }

  private static int exitCode(Process server) throws InterruptedException {
    assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return server.exitValue();
  }
}
