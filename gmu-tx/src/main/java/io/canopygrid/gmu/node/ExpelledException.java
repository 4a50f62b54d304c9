package io.canopygrid.gmu.node;

/** The other members of the grid have gone on without this node, which must forget what it has. */
public final class ExpelledException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  private final boolean rejoins;

  /**
   * Says how it was found out.
   *
   * @param rejoins whether the host makes the node a member again, without data
   */
  public ExpelledException(String message, boolean rejoins) {
    super(message);
    this.rejoins = rejoins;
  }

  boolean rejoins() {
    return rejoins;
  }
}
