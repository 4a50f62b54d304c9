package io.canopygrid.server.export;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** Standard output, whose writer does not tell where nobody reads any more. */
final class PipeWriter extends Writer {
  private final PrintWriter out;

  PipeWriter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    out.write(text, offset, length);
    check();
  }

  @Override
  public void flush() throws IOException {
    check();
  }

  private void check() throws IOException {
    if (out.checkError()) {
      throw new IOException("it takes no more");
    }
  }

  @Override
  public void close() {
    // Standard output belongs to the command.
  }
}
