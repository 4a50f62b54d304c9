package io.canopygrid.wire;

/** Bytes that are not what they should be; the message says what is wrong with them. */
public final class MalformedBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is wrong, and where. */
  public MalformedBytesException(String message) {
    super(message);
  }

  /** The same with what found it. */
  public MalformedBytesException(String message, Throwable cause) {
    super(message, cause);
  }
}
