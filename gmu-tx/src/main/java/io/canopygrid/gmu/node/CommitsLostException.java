package io.canopygrid.gmu.node;

/**
 * A transaction was to begin with a clock that may have seen commits which a power cut has taken
 * (protocol.md, Cuts). Nothing has begun. A session that has such a clock has to go on without it.
 */
public final class CommitsLostException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public CommitsLostException(String message) {
    super(message);
  }
}
