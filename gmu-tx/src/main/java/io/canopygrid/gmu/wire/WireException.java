package io.canopygrid.gmu.wire;

/** Bytes that are no message, or one of another protocol version. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WireException(String message) {
    super(message);
  }
}
