package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.message.Message;

/** The wire of a {@link TimedGrid}, which may change messages on their way. */
public interface TimedWire {
  /** A wire on which messages arrive as they are. */
  TimedWire PLAIN = new TimedWire() {};

  /** The message that arrives. */
  default Message carry(Message message) {
    return message;
  }

  /** A node takes a message in. */
  default void deliver(Message message, Runnable step) {
    step.run();
  }
}
