package io.canopygrid.gmu.node;

/**
 * A transaction was to begin with a clock that no transaction of this grid can have had: it names a
 * shard that does not exist, or a number that was not given. Nothing has begun.
 */
public final class ForeignClockException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public ForeignClockException(String message) {
    super(message);
  }
}
