package io.canopygrid.function;

import io.canopygrid.CanopyException;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.concurrent.CompletableFuture;

/** Broken rules of sorted loads. */
public final class LoadBugs {
  /** A part that is under way counts as committed. */
  @SuppressWarnings("rawtypes") // the class of a generic type is raw
  public static final Replacement COUNTS_TOO_EARLY =
      Replacement.replacing(
          PartLoader.class,
          "committed",
          call -> {
            long committed = call.proceed(Long.class);
            return call.field("underWay", CompletableFuture.class).isDone()
                ? committed
                : committed + 1;
          });

  /** A part that has failed is forgotten. */
  @SuppressWarnings("rawtypes") // the class of a generic type is raw
  public static final Replacement FAILURE_FORGOTTEN =
      Replacement.replacing(
          PartLoader.class,
          "await",
          call -> {
            try {
              return call.proceed();
            } catch (CanopyException e) {
              call.setField("closed", false);
              call.setField("underWay", CompletableFuture.completedFuture(0));
              return null;
            }
          });

  private LoadBugs() {}
}
