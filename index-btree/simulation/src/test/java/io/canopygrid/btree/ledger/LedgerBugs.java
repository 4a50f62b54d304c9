package io.canopygrid.btree.ledger;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;

/** Broken rules of the ledger of commits. */
public final class LedgerBugs {
  private static final long HOUR_MILLIS = 3_600_000;

  /** The transaction that drops old records does not say which names are covered from then on. */
  public static final Replacement SWEPT_WITHOUT_HEADER =
      Replacement.returning(ExpiredCommits.class, "raised", List.of());

  /** A look-up that fails tells that the commit has not happened. */
  public static final Replacement FAILED_LOOK_UP_TELLS =
      Replacement.replacing(
          CommitLedger.class, "unknown", call -> call.argument(0, RuntimeException.class));

  /** A name that is too old now is told as not committed, whatever was before. */
  public static final Replacement OLD_NAME_TELLS =
      Replacement.replacing(
          CommitLedger.class,
          "refused",
          call ->
              new CanopyException(
                  ErrorCode.INVALID_ARGUMENT, "too old", CommitState.NOT_COMMITTED, null, null));

  /** A node drops the records that are old by the clock of its own machine. */
  public static final Replacement SWEPT_BY_WALL_CLOCK =
      Replacement.replacing(
          ExpiredCommits.class,
          "oldestKept",
          call -> wallMillis(call.field("time", GridTime.class)) - HOUR_MILLIS);

  /** The node in charge takes its machine's time for the grid's, not what has passed. */
  public static final Replacement TIME_OF_WALL_CLOCK =
      Replacement.replacing(GridTime.class, "next", call -> wallMillis(call.self()));

  /** No name counts as too old. */
  public static final Replacement NO_NAME_IS_OLD =
      Replacement.returning(CommitLedger.class, "isOld", false);

  private LedgerBugs() {}

  private static long wallMillis(GridTime time) {
    try {
      var machine = GridTime.class.getDeclaredField("machine");
      machine.setAccessible(true);
      return ((MachineTime) machine.get(time)).wallMillis().getAsLong();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
