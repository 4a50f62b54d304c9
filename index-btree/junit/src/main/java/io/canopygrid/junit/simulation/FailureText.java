package io.canopygrid.junit.simulation;

import java.util.ArrayList;
import java.util.List;

/** The message of a seed that fails: what went wrong, what came before, and how to see it again. */
final class FailureText {
  private static final int LAST_STEPS = 12;
  private static final int MOVES_MAX = 30;

  private FailureText() {}

  /**
   * The message.
   *
   * @param again what a second run has shown, or how to make one
   */
  static String of(long seed, SeedResult result, String again) {
    List<String> lines = new ArrayList<>();
    lines.add("seed " + seed + " fails: " + result.problem());
    List<String> moves = result.story().stream().filter(step -> step.contains(Story.NODE)).toList();
    if (!moves.isEmpty()) {
      lines.add("its clients and their nodes:");
      lines.addAll(last(moves, MOVES_MAX));
      lines.add("the last steps:");
      lines.addAll(last(result.story(), LAST_STEPS));
    }
    lines.add(again);
    return String.join(System.lineSeparator(), lines);
  }

  private static List<String> last(List<String> steps, int most) {
    return steps.subList(Math.max(0, steps.size() - most), steps.size());
  }
}
