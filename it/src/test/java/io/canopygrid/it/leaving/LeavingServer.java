package io.canopygrid.it.leaving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.it.metrics.ServerMetrics;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with all lines that it prints. */
final class LeavingServer implements AutoCloseable {
  private static final String MAIN = "io.canopygrid.server.cli.Main";
  private static final long START_SECONDS = 180;
  private static final long COPIES_SECONDS = 60;

  private final int port;
  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final Thread reader;

  private LeavingServer(int port, Process process) {
    this.port = port;
    this.process = process;
    this.reader = new Thread(this::read, "output-of-" + port);
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a server at a port, which may join at those ports; it need not be ready yet. */
  static LeavingServer start(int port, List<Integer> members, String... options)
      throws IOException {
    List<String> addresses = members.stream().map(member -> "127.0.0.1:" + member).toList();
    return start(List.of(), port, addresses, options);
  }

  /** As the other one, in the place that the command {@code within} leads to. */
  static LeavingServer start(List<String> within, int port, List<String> members, String... options)
      throws IOException {
    return start(within, port, 0, members, options);
  }

  /** Starts a server at these ports for nodes and for clients. */
  static LeavingServer start(int port, int clientPort, List<Integer> members, String... options)
      throws IOException {
    List<String> addresses = members.stream().map(member -> "127.0.0.1:" + member).toList();
    return start(List.of(), port, clientPort, addresses, options);
  }

  /** The same with a server of an unpacked archive. */
  static LeavingServer startOf(
      Path archive, int port, int clientPort, List<Integer> members, String... options)
      throws IOException {
    List<String> addresses = members.stream().map(member -> "127.0.0.1:" + member).toList();
    String classes = archive.resolve("lib").resolve("*").toString();
    return start(List.of(), classes, port, clientPort, addresses, options);
  }

  private static LeavingServer start(
      List<String> within, int port, int clientPort, List<String> members, String... options)
      throws IOException {
    return start(within, JavaCommand.classPath(), port, clientPort, members, options);
  }

  private static LeavingServer start(
      List<String> within,
      String classPath,
      int port,
      int clientPort,
      List<String> members,
      String... options)
      throws IOException {
    List<String> command = new ArrayList<>(within);
    command.addAll(JavaCommand.ofThisJvm());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", classPath, MAIN, "server"));
    command.addAll(List.of("--name", "leaving", "--client-port", Integer.toString(clientPort)));
    command.addAll(List.of("--port", Integer.toString(port), "--shards", "32"));
    if (!members.isEmpty()) {
      command.addAll(List.of("--join", String.join(",", members)));
    }
    command.addAll(List.of(options));
    return new LeavingServer(port, new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** Ports of servers on this machine, apart from each other's further ports. */
  static List<Integer> ports(int count) throws IOException {
    return FreePorts.pick(count);
  }

  private void read() {
    try (BufferedReader in = process.inputReader(UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        add(line);
        if (line.startsWith("READY ")) {
          ready.complete(ServerProcess.addressIn(line));
        }
      }
    } catch (IOException e) {
      lines.add("cannot be read: " + e);
    } finally {
      ready.completeExceptionally(new IllegalStateException("ended: " + lines));
    }
  }

  /** The port for other nodes. */
  int port() {
    return port;
  }

  /** Waits until it is ready; the address for clients. */
  String address() throws Exception {
    return ready.get(START_SECONDS, TimeUnit.SECONDS);
  }

  /** A metric of it, once it is ready. */
  double metric(String name) throws Exception {
    return ServerMetrics.of(address()).value(name);
  }

  /** Waits until it sees three members, and so many copies of shards. */
  void awaitCopies(int copies) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COPIES_SECONDS);
    while (metric("canopy_cluster_members") < 3 || metric("canopy_cluster_copies") < copies) {
      assertThat(System.nanoTime()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  /** Sends SIGTERM; {@link Process#destroy} would close the stream of lines, too. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Sends SIGKILL. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Its exit code, with all lines read. */
  int exitCode(long secondsMax) throws InterruptedException {
    assertThat(process.waitFor(secondsMax, TimeUnit.SECONDS)).as("%s ends", lines).isTrue();
    reader.join();
    return process.exitValue();
  }

  /** Waits until it has printed a line with this text. */
  void awaitLine(String text) throws InterruptedException {
    awaitLines(text, 1);
  }

  /** Waits until it has printed so many lines with this text. */
  synchronized void awaitLines(String text, int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (lines.stream().filter(line -> line.contains(text)).count() < count) {
      long left = end - System.nanoTime();
      assertThat(left).as("%s in %s", text, lines).isPositive();
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
