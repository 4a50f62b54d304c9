package io.canopygrid.btree.catalog;

import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.function.LongSupplier;

/** Broken rules of states of the past. */
public final class PastBugs {
  private static final long EARLY_MILLIS = 8;

  /** A mark has the time at which its taking began. */
  public static final Replacement TIME_BEFORE_READS =
      Replacement.replacing(
          TimeMarks.class,
          "taken",
          call -> {
            long before = call.field("wallMillis", LongSupplier.class).getAsLong();
            Pin pin = call.proceed(Pin.class);
            return new Pin(pin.clock(), before + 1);
          });

  /** A mark has the time of its taker's clock, which may have been set back. */
  public static final Replacement SET_BACK =
      Replacement.replacing(TimeMarks.class, "later", call -> call.argument(0, Long.class));

  /** Two marks may be made beside each other. */
  public static final Replacement ORDER_NOT_VALIDATED =
      Replacement.skipping(TimeMarks.class, "requireNewest");

  /** The newest mark is told, behind which there is none yet. */
  public static final Replacement LATER_NOT_AWAITED =
      Replacement.returning(TimeMarks.class, "isSettled", true);

  /** A mark is dropped while a state that is kept may be its own. */
  public static final Replacement DROPPED_TOO_EARLY =
      Replacement.replacing(
          TimeMarks.class,
          "isNeeded",
          call -> call.argument(0, Long.class) - EARLY_MILLIS > call.argument(1, Long.class));

  private PastBugs() {}
}
