package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads a script in UTF-8, one statement after the other as they come. A statement is a line, or
 * several where a quote goes over a line's end. Confined to one thread.
 */
final class ScriptReader {
  private static final String MARK = "\uFEFF";

  private final InputStream in;
  private int read;
  private int line;

  ScriptReader(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The line in which the last statement begins, from 1. */
  int line() {
    return line;
  }

  /**
   * The next statement; null: the script ends.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: the bytes are no UTF-8, or a quote
   *     has no end
   */
  @Nullable String next() throws IOException {
    String text = nextLine();
    line = read;
    while (text != null && CommandWords.isWithinQuotes(text)) {
      String more = nextLine();
      if (more == null) {
        throw wrong("line " + line + ": a quote that begins here has no end");
      }
      text += "\n" + more;
    }
    return text;
  }

  private @Nullable String nextLine() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int b = in.read();
    if (b < 0) {
      return null;
    }
    while (b >= 0 && b != '\n') {
      bytes.write(b);
      b = in.read();
    }
    read++;
    String text = decoded(bytes.toByteArray());
    text = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    return read == 1 && text.startsWith(MARK) ? text.substring(1) : text;
  }

  private String decoded(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
    text.flip();
    if (result.isError()) {
      long column = text.codePoints().count() + 1;
      throw wrong("line " + read + ", column " + column + ": the script is not in UTF-8");
    }
    return text.toString();
  }

  private static CanopyException wrong(String why) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, why);
  }
}
