package io.canopygrid.junit.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A seed whose run did not end as it should. The message says what went wrong, and how to run the
 * seed again.
 */
public final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1;

  private final long seed;
  private final transient List<String> story;

  SimulationFailure(long seed, String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause);
    this.seed = seed;
    this.story = List.copyOf(story);
  }

  /** The seed, for {@link CanopySimulation#seed}. */
  public long seed() {
    return seed;
  }

  /** All steps of the clients of that run, in words, with their virtual times. */
  public List<String> story() {
    return story;
  }
}
