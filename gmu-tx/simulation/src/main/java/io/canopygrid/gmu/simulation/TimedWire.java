package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.message.Message;

/** What happens to messages of a {@link TimedGrid} on their way. */
public interface TimedWire {
  /** They arrive as they are. */
  TimedWire PLAIN = new TimedWire() {};

  /** What arrives. */
  default Message carry(Message message) {
    return message;
  }

  /** A node takes a message in. */
  default void deliver(Message message, Runnable step) {
    step.run();
  }
}
