package io.canopygrid.ycsb.cluster;

import io.canopygrid.server.terminal.Narrator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A JVM with one node. This JVM prints the output of that JVM, line by line. The node reads from a
 * pipe of this JVM and stops when the pipe ends, so it cannot outlive this JVM even if this JVM is
 * killed. Thread-safe.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Duration STOP_MAX = Duration.ofSeconds(10);
  private static final String READY = "READY ";

  /** A server's line has this before its address for clients; other processes' lines do not. */
  private static final String CLIENTS = " clients ";

  private final String name;
  private final Process process;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private volatile boolean hushed;

  private ServerProcess(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** Starts a JVM without waiting for its node. */
  public static ServerProcess start(String name, List<String> command, Narrator narrator)
      throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    ServerProcess server = new ServerProcess(name, process);
    Thread reader = new Thread(() -> server.tellOutput(narrator), "output-of-" + name);
    reader.setDaemon(true);
    reader.start();
    return server;
  }

  private void tellOutput(Narrator narrator) {
    try (BufferedReader lines = process.inputReader(Charset.defaultCharset())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(READY)) {
          ready.complete(line);
        }
        if (!hushed) {
          narrator.say("  " + name + ": " + line);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      if (!hushed) {
        narrator.say("  " + name + ": its output cannot be read: " + e.getMessage());
      }
    }
    ready.completeExceptionally(new IOException(name + " ended before it was ready"));
  }

  /**
   * Waits until the node is a member.
   *
   * @return where clients reach it, {@code host:port}
   * @throws IOException if the process ended or took too long
   */
  public String awaitReady(Duration max) throws IOException, InterruptedException {
    try {
      String line = ready.get(max.toMillis(), TimeUnit.MILLISECONDS);
      return addressIn(line);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(name + " was not ready within " + max.toSeconds() + " s", e);
    }
  }

  /** The address for clients in a line that says READY; its last word where it names no clients. */
  public static String addressIn(String line) {
    int clients = line.indexOf(CLIENTS);
    if (clients < 0) {
      return line.substring(line.lastIndexOf(' ') + 1);
    }
    int from = clients + CLIENTS.length();
    int end = line.indexOf(' ', from);
    return end < 0 ? line.substring(from) : line.substring(from, end);
  }

  /** Whether the process has not ended yet. */
  public boolean isAlive() {
    return process.isAlive();
  }

  String name() {
    return name;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Prints no more of the process's output. */
  public void hush() {
    hushed = true;
  }

  /** CPU time of the process so far, in seconds. */
  public double cpuSeconds() {
    return CpuTime.seconds(Stream.of(handle()));
  }

  /** Ends the process at once. */
  public void kill() {
    hushed = true;
    process.destroyForcibly();
  }

  /** Asks the node to stop, without waiting. */
  public void stop() {
    hushed = true;
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      process.destroy();
    }
  }

  /** Stops the process, in order if that does not take too long. */
  @Override
  public void close() {
    stop();
    try {
      if (!process.waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
