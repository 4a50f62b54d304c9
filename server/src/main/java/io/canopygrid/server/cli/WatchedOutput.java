package io.canopygrid.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An output that remembers that it could not be written, since the writers of commands do not tell.
 * Thread-safe as the output beneath is.
 */
final class WatchedOutput extends OutputStream {
  private final OutputStream out;
  private volatile @Nullable IOException failure;

  WatchedOutput(OutputStream out) {
    this.out = out;
  }

  /** The first failure; null: all was written. */
  @Nullable IOException failure() {
    return failure;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void watched(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException e) {
      if (failure == null) {
        failure = e;
      }
      throw e;
    }
  }

  @Override
  public void write(int b) throws IOException {
    watched(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    watched(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    watched(out::flush);
  }

  @Override
  public void close() throws IOException {
    watched(out::close);
  }
}
