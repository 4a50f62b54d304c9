package io.canopygrid.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ports that a node takes, as far as its settings say so, and whether two are the same. */
final class NodePorts {
  /** The distance from the node's port to the one at which nodes watch each other, by default. */
  private static final int WATCH_OFFSET = 100;

  /** The distance from the node's port to the one for questions, by default. */
  private static final int EXCHANGE_OFFSET = 200;

  private final SettingValues values;
  private final ProblemList problems;
  private final List<Taken> taken = new ArrayList<>();

  /**
   * A port that the node opens.
   *
   * @param setting that gives it
   * @param number the port
   * @param origin how the number comes about where the setting is not given; else empty
   */
  private record Taken(Setting<Integer> setting, int number, String origin) {}

  /** Finds out the ports for other nodes; two of them that are the same are a problem. */
  NodePorts(SettingValues values, ProblemList problems) {
    this.values = values;
    this.problems = problems;
    int port = values.get(ClusterSettings.PORT);
    add(ClusterSettings.PORT, port);
    addDerived(ClusterSettings.WATCH_PORT, port, WATCH_OFFSET);
    addDerived(ClusterSettings.EXCHANGE_PORT, port, EXCHANGE_OFFSET);
  }

  /** Adds a port that is given; null or 0: it is any free one. */
  void add(Setting<Integer> setting, @Nullable Integer number) {
    if (number != null && number != 0) {
      add(new Taken(setting, number, ""));
    }
  }

  /** A stack of the user's own has other ports, or none, where the setting does not say which. */
  private void addDerived(Setting<Integer> setting, int port, int offset) {
    Integer given = values.find(setting);
    if (given != null && port == 0) {
      problems.add(
          setting, "needs '" + ClusterSettings.PORT.path() + "' to be given too, and not to be 0");
    } else if (given != null) {
      add(setting, given);
    } else if (port != 0 && values.find(ClusterSettings.STACK) == null) {
      String origin = "'" + ClusterSettings.PORT.path() + "' + " + offset;
      add(new Taken(setting, port + offset, origin));
    }
  }

  private void add(Taken port) {
    for (Taken other : taken) {
      if (other.number() == port.number()) {
        tell(other, port);
      }
    }
    taken.add(port);
  }

  /** Tells it of the setting that is given, since that is the one to change. */
  private void tell(Taken one, Taken other) {
    boolean isOther = other.origin().isEmpty();
    Taken told = isOther ? other : one;
    Taken against = isOther ? one : other;
    String origin = against.origin().isEmpty() ? "" : " (" + against.origin() + ")";
    problems.add(
        told.setting(),
        String.format(
            Locale.ROOT,
            "is %d, which this node opens as '%s'%s too: give one of the two another number",
            told.number(),
            against.setting().path(),
            origin));
  }
}
