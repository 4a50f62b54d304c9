package io.canopygrid.gmu.node;

import io.canopygrid.gmu.protocol.ProtocolConfig;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a node.
 *
 * @param protocol the protocol's limits
 * @param tickMillis how often marks and horizon reports are sent, at least 1
 * @param drainMillis how long {@link GmuNode#close()} waits for transactions under way, at least 0
 */
public record NodeSettings(ProtocolConfig protocol, long tickMillis, long drainMillis) {
  public static final NodeSettings DEFAULT = new NodeSettings(ProtocolConfig.DEFAULT, 100, 1_000);

  public NodeSettings {
    if (tickMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: tickMillis=" + tickMillis);
    }
    if (drainMillis < 0) {
      throw new IllegalArgumentException("must be >= 0: drainMillis=" + drainMillis);
    }
  }

  /** {@link #drainMillis} in nanoseconds. */
  long drainNanos() {
    return TimeUnit.MILLISECONDS.toNanos(drainMillis);
  }

  /** The same for so many failures at once. */
  public NodeSettings withFailuresAtOnce(int count) {
    return new NodeSettings(protocol.withFailuresAtOnce(count), tickMillis, drainMillis);
  }
}
