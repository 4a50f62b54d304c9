package io.canopygrid.gmu;

/** A check inside Canopy failed: a bug of ours. Whoever drives the node stops it. */
public final class InvariantViolation extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public InvariantViolation(String message) {
    super(message);
  }
}
