package io.canopygrid.wire;

/** Bytes are malformed; the message says what is wrong with them, and where. */
public final class MalformedBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and where. */
  public MalformedBytesException(String message) {
    super(message);
  }

  /** Says what is wrong, and where, with the exception that found it. */
  public MalformedBytesException(String message, Throwable cause) {
    super(message, cause);
  }
}
