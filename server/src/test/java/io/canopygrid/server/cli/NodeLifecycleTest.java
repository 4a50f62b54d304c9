package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.canopygrid.config.Configuration;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.endpoint.LogLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how a server ends that nobody asked to stop. */
final class NodeLifecycleTest {
  @Test
  void aNodeThatStopsByItselfEndsItsServer() throws Exception {
    assertThat(lastLine(new IllegalStateException("for the test"), 4))
        .contains("CNPY-9001", "for the test", "again");
  }

  @Test
  void aDiskThatFailsIsNoDefectOfTheNode() throws Exception {
    assertThat(lastLine(new StorageException(Reason.FULL, "the disk of it is full", null), 1))
        .contains("CNPY-5002", "the disk of it is full")
        .doesNotContain("CNPY-9001");
  }

  /** Halts the node of a server for a cause, and returns the last error that is logged. */
  private static String lastLine(Throwable cause, int expectedCode) throws Exception {
    StringWriter out = new StringWriter();
    NodeLifecycle lifecycle = new NodeLifecycle(new PrintWriter(out), false);
    Map<String, String> options = Map.of("cluster.name", "ends", "clients.port", "0");
    Configuration config = ServerConfig.load(null, Map.of(), options);
    try (LogLines log = new LogLines()) {
      CompletableFuture<Integer> exitCode =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return lifecycle.run(config, false);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              },
              task -> new Thread(task).start());
      while (!out.toString().contains("READY") && !exitCode.isDone()) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      halt(lifecycle, cause);

      assertThat(exitCode.get(40, TimeUnit.SECONDS)).isEqualTo(expectedCode);
      List<String> errors = log.of(Level.ERROR);
      return errors.get(errors.size() - 1);
    }
  }

  /** Nothing that is public brings a node into a state that must not be. */
  private static void halt(NodeLifecycle lifecycle, Throwable cause) throws Exception {
    Object node = field(field(field(lifecycle, "running"), "node"), "node");
    Method halt = node.getClass().getMethod("halt", Throwable.class);
    halt.invoke(node, cause);
  }

  private static Object field(Object owner, String name) throws Exception {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
