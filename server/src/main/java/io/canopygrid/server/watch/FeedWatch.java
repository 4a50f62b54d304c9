package io.canopygrid.server.watch;

import io.canopygrid.CanopyException;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedPosition;
import io.canopygrid.server.terminal.Narrator;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints what a feed tells until something ends it. A position is kept only when all before it was
 * printed, and all that is printed is whole groups, as positions go. Confined to one thread.
 */
final class FeedWatch {
  /** The pauses between two questions without an answer grow from the first to the second one. */
  private static final long PAUSE_MIN_MILLIS = 5;

  private static final long PAUSE_MAX_MILLIS = 200;

  /** A cluster that does not answer is asked again for so long. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final Set<ErrorCode> PASSING =
      Set.of(
          ErrorCode.SHARD_UNAVAILABLE,
          ErrorCode.NOT_CONNECTED,
          ErrorCode.TIMEOUT,
          ErrorCode.OVERLOADED);

  private final ChangeFeed<String, String> feed;
  private final ChangePrinter printer;
  private final @Nullable PositionFile file;
  private final Narrator narrator;
  private final Terms terms;
  private FeedPosition position;
  private long printed;
  private long failingSinceNanos;
  private boolean isFailing;

  /**
   * The end of a watch.
   *
   * @param limit it ends with so many transactions
   * @param nanos it ends after so long
   * @param isStopped whether it is to end now
   */
  record Terms(long limit, long nanos, BooleanSupplier isStopped) {}

  /**
   * A watch of a feed, which the caller closes.
   *
   * @param file where the position is kept; null: nowhere
   */
  FeedWatch(
      ChangeFeed<String, String> feed,
      ChangePrinter printer,
      @Nullable PositionFile file,
      Narrator narrator,
      Terms terms) {
    this.feed = feed;
    this.printer = printer;
    this.file = file;
    this.narrator = narrator;
    this.terms = terms;
    this.position = feed.position();
  }

  /** Prints until the end; false where nobody reads any more. */
  boolean run() {
    keep();
    long beganNanos = System.nanoTime();
    boolean isWhole = true;
    long pauseMillis = PAUSE_MIN_MILLIS;
    while (!isWhole || !isOver(beganNanos)) {
      // A call that does not wait reads one group at most, so that its end can be seen.
      ChangeSet<String, String> set = next();
      FeedPosition now = feed.position();
      isWhole = set == null || !now.equals(position);
      if (set != null) {
        printer.print(set, isWhole ? now : null);
        printed++;
      }
      if (set != null && isWhole && !printer.flush()) {
        return false;
      }
      if (!now.equals(position)) {
        position = now;
        keep();
      }
      if (set == null) {
        pause(Math.min(pauseMillis, leftMillis(beganNanos)));
      }
      pauseMillis = set == null ? Math.min(2 * pauseMillis, PAUSE_MAX_MILLIS) : PAUSE_MIN_MILLIS;
    }
    return true;
  }

  private long leftMillis(long beganNanos) {
    long leftNanos = terms.nanos() - (System.nanoTime() - beganNanos);
    return 1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, leftNanos));
  }

  private boolean isOver(long beganNanos) {
    return printed >= terms.limit()
        || System.nanoTime() - beganNanos >= terms.nanos()
        || terms.isStopped().getAsBoolean();
  }

  private @Nullable ChangeSet<String, String> next() {
    try {
      ChangeSet<String, String> set = feed.next(Duration.ZERO);
      isFailing = false;
      return set;
    } catch (CanopyException e) {
      bear(e);
      return null;
    }
  }

  /** Bears an error that passes, for some time; any other is thrown. */
  private void bear(CanopyException e) {
    if (!PASSING.contains(e.code())) {
      throw e;
    }
    if (!isFailing) {
      isFailing = true;
      failingSinceNanos = System.nanoTime();
      narrator.say("waiting for the cluster: " + e.getMessage());
    }
    if (System.nanoTime() - failingSinceNanos >= PATIENCE_NANOS) {
      throw e;
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "interrupted while it waited for changes", e);
    }
  }

  private void keep() {
    if (file != null) {
      file.write(position);
    }
  }

  /** The position after all that was printed and is known to be. */
  FeedPosition position() {
    return position;
  }
}
