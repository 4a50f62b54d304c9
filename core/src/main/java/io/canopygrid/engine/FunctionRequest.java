package io.canopygrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * A call of a function as engines carry it.
 *
 * @param at the place that decides where it runs; null: anywhere
 * @param how its transaction begins
 * @param attemptsMax how often it is run at most
 */
public record FunctionRequest(
    String function, byte[] arguments, @Nullable At at, Begin how, int attemptsMax) {
  /** A key of an index. */
  public record At(OpenIndex index, byte[] key) {}
}
