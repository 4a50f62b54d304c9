package io.canopygrid.gmu.spi;

/** A question gets no answer; whether it was heard is not known. */
public final class LostCallException extends Exception {
  private static final long serialVersionUID = 1;

  /** Says why. */
  public LostCallException(String message) {
    super(message);
  }
}
