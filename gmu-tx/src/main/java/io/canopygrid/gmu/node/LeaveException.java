package io.canopygrid.gmu.node;

/** A node has left, and data may be gone with it; the message says what, and why. */
public final class LeaveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LeaveException(String message) {
    super(message);
  }
}
