package io.canopygrid.gmu;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** Interleavings of a few calls of a model, which Lincheck makes up. */
public final class Interleavings {
  private static final int ITERATIONS = 10;
  private static final int INVOCATIONS = 100;
  private static final int ACTORS_BESIDE = 1;

  private Interleavings() {}

  /** Throws where an interleaving has results that the same calls one by one cannot have. */
  public static void check(Class<?> model) {
    check(model, ACTORS_BESIDE);
  }

  /** The same without a call before the threads start: for what happens on the first one only. */
  public static void checkFirstCalls(Class<?> model) {
    check(model, 0);
  }

  private static void check(Class<?> model, int actorsBefore) {
    new ModelCheckingOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(INVOCATIONS)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(actorsBefore)
        .actorsAfter(ACTORS_BESIDE)
        .check(model);
    new StressOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(INVOCATIONS)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(actorsBefore)
        .actorsAfter(ACTORS_BESIDE)
        .check(model);
  }
}
