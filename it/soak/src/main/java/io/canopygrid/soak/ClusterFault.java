package io.canopygrid.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A fault that is done to a cluster of processes. */
public enum ClusterFault {
  /** A node's process is killed; a new node takes its place some seconds later. */
  KILL,
  /** A node's process stands still for 1 to 30 seconds, then goes on. */
  PAUSE,
  /** A node and the others do not hear each other for some seconds. */
  CUT,
  /** A node does not hear the others, or they do not hear it, for some seconds. */
  ONE_WAY,
  /** The network loses 1 to 20 percent of all messages for some seconds. */
  LOSS,
  /** Every message takes 50 milliseconds more for some seconds. */
  DELAY,
  /** One more node joins, and leaves again after some seconds. */
  JOIN,
  /** A node leaves in order; a new one takes its place some seconds later. */
  LEAVE,
  /** One after the other, every node leaves in order and is replaced at once. */
  ROLLING,
  /** A node's heap is nearly full for some seconds. */
  PRESSURE;

  /** The name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads a list of names with commas in between, or {@code all} or {@code none}.
   *
   * @throws IllegalArgumentException for a name that is none, with those that are
   */
  public static Set<ClusterFault> parse(String names) {
    EnumSet<ClusterFault> found = EnumSet.noneOf(ClusterFault.class);
    for (String name : names.split(",", -1)) {
      switch (name.trim()) {
        case "all" -> Collections.addAll(found, values());
        case "none" -> found.addAll(List.of());
        default -> found.add(of(name.trim()));
      }
    }
    return Collections.unmodifiableSet(found);
  }

  private static ClusterFault of(String name) {
    List<String> known = new ArrayList<>();
    for (ClusterFault fault : values()) {
      if (fault.label().equals(name)) {
        return fault;
      }
      known.add(fault.label());
    }
    throw new IllegalArgumentException("no such fault: " + name + "; there are " + known);
  }

  /** The names of some, as {@link #parse} reads them. */
  public static String labels(Set<ClusterFault> faults) {
    return faults.isEmpty()
        ? "none"
        : Arrays.stream(values())
            .filter(faults::contains)
            .map(ClusterFault::label)
            .collect(Collectors.joining(","));
  }
}
