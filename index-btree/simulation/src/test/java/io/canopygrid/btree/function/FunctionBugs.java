package io.canopygrid.btree.function;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.wire.CommitId;
import java.util.UUID;

/** Broken rules of functions between nodes. */
public final class FunctionBugs {
  /** A transaction whose commit failed before it was sent is left open. */
  public static final Replacement CALL_LEFT_OPEN = Replacement.skipping(FunctionTree.class, "end");

  /** A call that was sent twice gives the second run's result. */
  public static final Replacement SECOND_RESULT =
      Replacement.returning(FunctionTree.class, "outcomeBefore", VectorClock.ZERO);

  /** A call to a node that is lost counts as not run. */
  public static final Replacement LOST_IS_NOT_RUN = Replacement.returning(call(), "outcome", null);

  /** All calls of a node have the same name. */
  public static final Replacement ONE_NAME =
      Replacement.returning(
          call(), "nextName", new CommitId(new UUID(9, 9), 1_700_000_000_000L, 1, 0));

  private FunctionBugs() {}

  private static Class<?> call() {
    for (Class<?> inner : FunctionCalls.class.getDeclaredClasses()) {
      if (inner.getSimpleName().equals("Call")) {
        return inner;
      }
    }
    throw new AssertionError("there is no class of a call");
  }
}
