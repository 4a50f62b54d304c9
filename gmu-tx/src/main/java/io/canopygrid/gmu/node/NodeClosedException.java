package io.canopygrid.gmu.node;

import org.jspecify.annotations.Nullable;

/**
 * The node has left the grid, is about to, or has stopped itself. The call had no effect, except
 * that a commit under way ends as {@link io.canopygrid.gmu.Outcome.Unknown} instead.
 */
public final class NodeClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /** Says why; the cause is what stopped the node, null where it was closed. */
  public NodeClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Whether the node will be a member again before long, by itself. */
  public boolean comesBack() {
    return getCause() instanceof ExpelledException expelled && expelled.rejoins();
  }
}
