package io.canopygrid.it.cluster;

import io.canopygrid.server.cli.JavaCommand;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node as its test sees it: a process with a line in and a line out. Confined to a thread. */
public final class NodeHandle implements AutoCloseable {
  private static final int LOG_LINES_SHOWN = 60;
  private static final Command GONE = Command.of("gone");

  private final String name;
  private final int port;
  private final Path log;
  private final Process process;
  private final BufferedWriter input;
  private final BlockingQueue<Command> answers = new LinkedBlockingQueue<>();

  private NodeHandle(String name, int port, Path log, Process process) {
    this.name = name;
    this.port = port;
    this.log = log;
    this.process = process;
    this.input =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::readAnswers, name + "-answers");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the process; it does nothing until it is told to. */
  static NodeHandle start(String name, int port, Path directory, List<String> jvmOptions)
      throws IOException {
    Path log = directory.resolve(name + ".log");
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(NodeProcess.class.getName(), name));
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return new NodeHandle(name, port, log, process);
  }

  public String name() {
    return name;
  }

  /** Where it listens to the other nodes. */
  public int port() {
    return port;
  }

  /** Ends the process as if the power was cut. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Stops the process as it stands, threads and all, until {@link #resume()}. */
  public void pause() throws IOException {
    signal("-STOP");
  }

  /** Lets a paused process go on. */
  public void resume() throws IOException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException {
    String pid = Long.toString(process.pid());
    try {
      if (new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor() != 0) {
        throw new IOException("kill " + signal + " " + pid + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void readAnswers() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        answers.add(Command.parse(line));
      }
    } catch (IOException | RuntimeException e) {
      answers.add(Command.of("unreadable").with("error", e));
    }
    answers.add(GONE);
  }

  /** Sends a command and waits for its answer, which must be {@code ok}. */
  public Command ask(Command command, Duration limit) {
    send(command);
    return answer(limit);
  }

  public void send(Command command) {
    try {
      input.write(command.toString());
      input.newLine();
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(explain("does not take a command: " + command), e);
    }
  }

  /** Waits for the answer to the last command. */
  public Command answer(Duration limit) {
    Command answer = poll(limit);
    if (answer == null) {
      throw new IllegalStateException(explain("did not answer within " + limit));
    }
    if (!answer.word().equals("ok")) {
      throw new IllegalStateException(explain("answered " + answer));
    }
    return answer;
  }

  private @Nullable Command poll(Duration limit) {
    try {
      return answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(explain("was not waited for: interrupted"), e);
    }
  }

  /** What went wrong, with the end of the node's log. */
  private String explain(String what) {
    String tail;
    try {
      List<String> lines = Files.readAllLines(log);
      int from = Math.max(0, lines.size() - LOG_LINES_SHOWN);
      tail = String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      tail = "(no log: " + e + ")";
    }
    return "node " + name + " " + what + "; the end of its log:\n" + tail;
  }

  /** Tells the node to end. */
  void closeInput() {
    try {
      input.close();
    } catch (IOException e) {
      // It is gone already, which is what is wanted.
      process.destroy();
    }
  }

  /** Waits a while for the node to end, then ends it. */
  @Override
  public void close() {
    closeInput();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
