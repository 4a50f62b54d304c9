package io.canopygrid.config;

/** A value is not what its setting takes; the message says what it takes. */
public final class WrongValueException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The value that may have been meant; empty: none is known. */
  private final String nearest;

  /** Creates the exception for a value to which nothing similar is known. */
  public WrongValueException(String wanted) {
    this(wanted, "");
  }

  WrongValueException(String wanted, String nearest) {
    super(wanted);
    this.nearest = nearest;
  }

  String nearest() {
    return nearest;
  }

  String wanted() {
    return String.valueOf(getMessage());
  }
}
