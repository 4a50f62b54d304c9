package io.canopygrid;

import java.time.Duration;
import java.util.regex.Pattern;

/** Refuses values of a configuration that are out of range. */
final class ConfigChecks {
  private ConfigChecks() {}

  static void requireRange(String what, long value, long min, long max) {
    require(
        value >= min && value <= max,
        what + " must be from " + min + " to " + max + ": " + what + "=" + value);
  }

  static void requireName(String what, String value, Pattern names) {
    require(
        names.matcher(value).matches(),
        what
            + " must have 1 to "
            + ClusterConfig.NAME_MAX
            + " letters, digits, '.', '_' or '-': "
            + what
            + "='"
            + value
            + "'");
  }

  /** Another port than the node's own; 0 for one that follows from that. */
  static void requirePort(String what, int value, int port) {
    if (value != 0) {
      requireRange(what, value, ClusterConfig.NODE_PORT_LEAST, 65_535);
      require(port != 0, what + " needs a port that is given, and is 0 where port is");
      require(value != port, "port and " + what + " must differ: both are " + value);
    }
  }

  static void requireMillis(String what, Duration value, long min, long max) {
    Arguments.notNull(what, value);
    require(
        value.compareTo(Duration.ofMillis(min)) >= 0
            && value.compareTo(Duration.ofMillis(max)) <= 0,
        what + " must be from " + min + " ms to " + max + " ms: " + what + "=" + value);
  }

  static void require(boolean right, String otherwise) {
    if (!right) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, otherwise);
    }
  }
}
