package io.canopygrid.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;

/** Output that cannot be written is not forgotten, although a PrintWriter is silent about it. */
final class WatchedOutputTest {
  @Test
  void theFirstFailureIsKept() {
    OutputStream full =
        new OutputStream() {
          private int calls;

          @Override
          public void write(int b) throws IOException {
            throw new IOException("full " + ++calls);
          }
        };
    WatchedOutput watched = new WatchedOutput(full);
    PrintWriter out = new PrintWriter(new OutputStreamWriter(watched, UTF_8), true);
    out.println("a");
    out.println("b");
    assertThat(watched.failure()).hasMessage("full 1");
  }

  @Test
  void whatIsWrittenIsNoFailure() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WatchedOutput watched = new WatchedOutput(bytes);
    PrintWriter out = new PrintWriter(new OutputStreamWriter(watched, UTF_8), true);
    out.print("abc");
    out.flush();
    assertThat(watched.failure()).isNull();
    assertThat(bytes).hasToString("abc");
  }
}
