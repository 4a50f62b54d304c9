package io.canopygrid.btree.load;

import io.canopygrid.Subtree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The uses of the subtrees that this node served, by steps of time: of the last hour, and of each
 * step those of the subtrees that were used most. A node keeps some megabytes of it at most.
 * Thread-safe.
 */
public final class LoadHistory {
  /** The length of a step, in seconds. */
  public static final int STEP_SECONDS = 10;

  /** Most steps that are kept: an hour. */
  public static final int STEPS_MAX = 360;

  /** Most subtrees of which a step has the uses. */
  static final int USES_MAX = 1_024;

  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(STEP_SECONDS);

  /** The newest first. */
  private final Deque<Step> steps = new ArrayDeque<>();

  private long endedNanos;
  private boolean begun;

  /**
   * The uses of a subtree in a step. The arrays are not to be changed.
   *
   * @param index the number of the index
   * @param low its lowest key
   * @param high the lowest key above it; null: there is none
   * @param reads as {@link LoadRecorder} counts them
   * @param writes keys written and removed
   * @param conflicts commits that were refused, as another transaction was first
   */
  public record Use(
      int index, byte[] low, byte @Nullable [] high, long reads, long writes, long conflicts) {
    boolean isNone() {
      return reads == 0 && writes == 0 && conflicts == 0;
    }

    private double weight() {
      return reads + Subtree.WRITE_WEIGHT * writes + conflicts;
    }
  }

  /**
   * A step.
   *
   * @param endedNanos when it ended, in the time of the node
   * @param seconds how long it took: a step ends when the node looks at its load, somewhat late
   */
  public record Step(long endedNanos, double seconds, List<Use> uses) {
    /** Copies the list. */
    public Step {
      uses = List.copyOf(uses);
    }
  }

  /** Whether a step has come to its end. The first call begins the first step. */
  synchronized boolean isDue(long nowNanos) {
    if (!begun) {
      begun = true;
      endedNanos = nowNanos;
      return false;
    }
    return nowNanos - endedNanos >= STEP_NANOS;
  }

  /** A step has ended with these uses. */
  synchronized void add(long nowNanos, List<Use> uses) {
    List<Use> most = uses;
    if (uses.size() > USES_MAX) {
      most = new ArrayList<>(uses);
      most.sort(Comparator.comparingDouble(Use::weight).reversed());
      most = most.subList(0, USES_MAX);
    }
    double seconds = (nowNanos - endedNanos) / 1e9;
    endedNanos = nowNanos;
    steps.addFirst(new Step(nowNanos, seconds, most));
    while (steps.size() > STEPS_MAX) {
      steps.removeLast();
    }
  }

  /** The steps, the newest first. */
  public synchronized List<Step> steps() {
    return List.copyOf(steps);
  }
}
