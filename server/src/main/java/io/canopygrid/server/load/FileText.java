package io.canopygrid.server.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The text of a file: in UTF-8, or as the byte order mark at its beginning says, which is left out.
 * Bytes that are no text are an error with their place, never a replacement character. Confined to
 * one thread.
 */
final class FileText extends Reader {
  private static final int BUFFER = 8_192;

  private final InputStream in;
  private final CharsetDecoder decoder;
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).flip();
  private boolean ended;
  private boolean broken;
  private int line = 1;
  private int column = 1;
  private boolean afterReturn;

  /** Reads the mark. */
  FileText(InputStream in) throws IOException {
    PushbackInputStream marked = new PushbackInputStream(in, 3);
    this.in = marked;
    this.decoder =
        charset(marked)
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  private static Charset charset(PushbackInputStream in) throws IOException {
    byte[] head = in.readNBytes(3);
    int first = head.length < 2 ? 0 : ((head[0] & 0xFF) << 8) | (head[1] & 0xFF);
    if (head.length == 3 && first == 0xEFBB && head[2] == (byte) 0xBF) {
      return StandardCharsets.UTF_8;
    }
    boolean utf16 = first == 0xFEFF || first == 0xFFFE;
    int skipped = utf16 ? 2 : 0;
    in.unread(head, skipped, head.length - skipped);
    if (!utf16) {
      return StandardCharsets.UTF_8;
    }
    return first == 0xFEFF ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
  }

  /**
   * Reads characters.
   *
   * @throws BrokenTextException where bytes are no text; all characters before them were read
   */
  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    CharBuffer out = CharBuffer.wrap(into, offset, length).slice();
    while (!broken) {
      CoderResult result = decoder.decode(bytes, out, ended);
      if (result.isError()) {
        broken = true;
      } else if (out.position() == 0 && result.isUnderflow() && !ended) {
        fill();
        continue;
      }
      break;
    }
    if (out.position() > 0) {
      count(into, offset, out.position());
      return out.position();
    }
    if (broken) {
      throw new BrokenTextException(line, column, decoder.charset());
    }
    if (!ended || bytes.hasRemaining()) {
      throw new IllegalArgumentException("a buffer of one character: length=" + length);
    }
    return -1;
  }

  private void fill() throws IOException {
    bytes.compact();
    int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
    if (read < 0) {
      ended = true;
    } else {
      bytes.position(bytes.position() + read);
    }
    bytes.flip();
  }

  /** Moves line and column behind these characters; CR LF is one end of a line. */
  private void count(char[] read, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      char c = read[i];
      if (c == '\n' && afterReturn) {
        afterReturn = false;
        continue;
      }
      afterReturn = c == '\r';
      if (c == '\n' || c == '\r') {
        line++;
        column = 1;
      } else if (!Character.isLowSurrogate(c)) {
        column++;
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
