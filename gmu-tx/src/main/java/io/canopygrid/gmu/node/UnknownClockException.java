package io.canopygrid.gmu.node;

/**
 * No owner of a shard has said in time whether the shard has given the number that a clock from
 * outside names. Nothing has begun; the caller may try again.
 */
public final class UnknownClockException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Names the shard. */
  public UnknownClockException(int shard) {
    super("no owner of shard " + shard + " says whether it has what the clock names");
  }
}
