package io.canopygrid.junit.simulation;

import io.canopygrid.Canopy;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated client, as its body sees it: its handle, and time and chance that are the same each
 * time that the seed is run. Confined to the body's own thread.
 */
public interface ScenarioClient {
  /** The client's name in the scenario. */
  String name();

  /**
   * The handle of the client's node. Clients at the same node share what it has seen; an {@link
   * io.canopygrid.Index} belongs to the handle that has opened it. To close it does nothing.
   */
  Canopy canopy();

  /** Random numbers of the seed, which no other client has. */
  RandomGenerator random();

  /** The virtual time since the beginning of the run. */
  Duration now();

  /** Lets virtual time go on, and the other clients with it. */
  void sleep(Duration time);

  /**
   * Waits in virtual time for what an asynchronous method of the handle has returned.
   *
   * @throws java.util.concurrent.CompletionException as {@link
   *     java.util.concurrent.CompletableFuture#join}
   */
  <T extends @Nullable Object> T await(CompletionStage<T> stage);

  /**
   * The number of times that the body was begun: 1, and one more after each death of the client's
   * node.
   */
  int starts();
}
