package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.message.Message;
import java.util.Locale;
import java.util.Map;

/**
 * The times that things take on a {@link TimedGrid}, all in nanoseconds.
 *
 * @param cores of each node, at least 1
 * @param latency of the network, one way
 * @param send processor time of one message at its sender
 * @param receive the same at its receiver, up to where it is decoded
 * @param call processor time of a question of the layer above at who answers it
 * @param steps processor time of a message of a kind in the protocol, with its bytes' coding; the
 *     lock of the node is held meanwhile
 * @param otherStep the same of a kind that is not named
 */
public record TimedCosts(
    int cores,
    long latency,
    long send,
    long receive,
    long call,
    Map<String, Long> steps,
    long otherStep) {
  public TimedCosts {
    steps = Map.copyOf(steps);
    if (cores < 1 || latency < 0 || send < 0 || receive < 0 || call < 0 || otherStep < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cores must be >= 1 and times >= 0: %d %d %d %d %d %d",
              cores,
              latency,
              send,
              receive,
              call,
              otherStep));
    }
  }

  long step(Message message) {
    return steps.getOrDefault(kind(message), otherStep);
  }

  /** The name of a message's kind. */
  public static String kind(Message message) {
    return message.getClass().getSimpleName();
  }
}
