package io.canopygrid.soak.cluster;

import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.ycsb.cluster.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Processes of this machine, on the loopback interface. */
public final class LocalSite implements Site {
  private final Map<String, String> environment;
  private final @Nullable Path previous;
  private int started;

  /**
   * A site.
   *
   * @param environment what the processes have in theirs beside what this one has
   * @param previous the unpacked archive of another release, whose processes and those of this one
   *     are started by turns, its own first; null: all are of this release
   */
  public LocalSite(Map<String, String> environment, @Nullable Path previous) {
    this.environment = environment;
    this.previous = previous;
  }

  /**
   * The class path of the next process. One of another release has this one's behind its own, for
   * the classes of tests, which the archive does not have.
   */
  private String classPath() {
    String own = JavaCommand.classPath();
    return previous == null || started++ % 2 == 1
        ? own
        : previous.resolve("lib").resolve("*") + File.pathSeparator + own;
  }

  @Override
  public List<String> places(int count) throws IOException {
    return FreePorts.pick(count).stream().map(port -> "127.0.0.1:" + port).toList();
  }

  @Override
  public Running start(String name, String place, Path log, List<String> jvmOptions)
      throws IOException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath()));
    command.addAll(List.of(NodeProcess.class.getName(), name));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(environment);
    return new Local(builder.start());
  }

  /** A child of this JVM. */
  private record Local(Process process) implements Running {
    @Override
    public OutputStream input() {
      return process.getOutputStream();
    }

    @Override
    public InputStream output() {
      return process.getInputStream();
    }

    @Override
    public void kill() {
      process.destroyForcibly().onExit().join();
    }

    @Override
    public void pause() throws IOException {
      signal("-STOP");
    }

    @Override
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

    @Override
    public boolean await(Duration limit) throws InterruptedException {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
