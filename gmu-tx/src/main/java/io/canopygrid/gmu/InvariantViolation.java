package io.canopygrid.gmu;

/** A check inside Canopy failed: a bug of ours. The driver of the node stops the node. */
public final class InvariantViolation extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public InvariantViolation(String message) {
    super(message);
  }
}
