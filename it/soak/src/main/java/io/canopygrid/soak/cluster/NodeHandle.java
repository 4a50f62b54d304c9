package io.canopygrid.soak.cluster;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node as its test sees it: a process with a line in and a line out. Confined to a thread. */
public final class NodeHandle implements AutoCloseable {
  /**
   * A system property of the process: the file by which nodes know each other; none: they do not.
   */
  public static final String IDENTITY = "canopy.node.identity";

  private static final int LOG_LINES_SHOWN = 60;
  private static final Duration END_LIMIT = Duration.ofSeconds(20);
  private static final Command GONE = Command.of("gone");

  private final String name;
  private final String place;
  private final Path log;
  private final Site.Running process;
  private final BufferedWriter input;
  private final BlockingQueue<Command> answers = new LinkedBlockingQueue<>();

  private NodeHandle(String name, String place, Path log, Site.Running process) {
    this.name = name;
    this.place = place;
    this.log = log;
    this.process = process;
    this.input =
        new BufferedWriter(new OutputStreamWriter(process.input(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::readAnswers, name + "-answers");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the process, which does nothing until it is told to. */
  static NodeHandle start(
      Site site, String name, String place, Path directory, List<String> jvmOptions)
      throws IOException {
    Path log = directory.resolve(name + ".log");
    List<String> options =
        new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow"));
    options.addAll(jvmOptions);
    return new NodeHandle(name, place, log, site.start(name, place, log, options));
  }

  public String name() {
    return name;
  }

  /** {@code host:port} where it listens to the other nodes. */
  public String place() {
    return place;
  }

  /** The port of that. */
  public int port() {
    return Integer.parseInt(place.substring(place.lastIndexOf(':') + 1));
  }

  /** Ends the process as if the power was cut. */
  public void kill() throws IOException {
    process.kill();
  }

  /** Stops the process as it stands, threads and all, until {@link #resume()}. */
  public void pause() throws IOException {
    process.pause();
  }

  /** Lets a paused process go on. */
  public void resume() throws IOException {
    process.resume();
  }

  private void readAnswers() {
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8))) {
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

  /** The error in words, with the end of the node's log. */
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

  /**
   * Tells the node to leave and end; in words, as the end of its input does not reach a container.
   */
  void closeInput() {
    try (input) {
      input.write(Command.of("end").toString());
      input.newLine();
    } catch (IOException e) {
      // The node is gone already, as it should be.
    }
  }

  /** Waits a while for the node to end, then ends it. */
  @Override
  public void close() {
    closeInput();
    try {
      if (!process.await(END_LIMIT)) {
        process.kill();
      }
    } catch (InterruptedException e) {
      killInterrupted();
    } catch (IOException e) {
      throw new UncheckedIOException(explain("does not end"), e);
    }
  }

  private void killInterrupted() {
    Thread.currentThread().interrupt();
    try {
      process.kill();
    } catch (IOException e) {
      throw new UncheckedIOException(explain("does not end"), e);
    }
  }
}
