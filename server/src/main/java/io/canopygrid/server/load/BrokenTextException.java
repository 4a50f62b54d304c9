package io.canopygrid.server.load;

import java.io.IOException;
import java.nio.charset.Charset;

/** The bytes at a place of a file are no text. */
final class BrokenTextException extends IOException {
  private static final long serialVersionUID = 1;

  BrokenTextException(int line, int column, Charset charset) {
    super("line " + line + ", column " + column + ": the bytes are not " + charset);
  }
}
