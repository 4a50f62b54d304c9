package io.canopygrid.soak;

import io.canopygrid.Durability;
import io.canopygrid.soak.power.PowerRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
  PRESSURE,
  /** All nodes' processes are killed; some seconds later all come back where their disks are. */
  KILL_ALL,
  /** The same, and the disks lose what was not forced. */
  POWER,
  /** A node's process is killed and its disk is emptied; it comes back some seconds later. */
  DISK_LOST,
  /**
   * A node's disk takes nothing for some seconds. Where that is longer than the node puts up with,
   * it has ended, and its process is replaced.
   */
  DISK_SLOW,
  /**
   * A node's disk has no room left for some seconds. In half of the cases nothing can be written,
   * either: the node has ended, and its process is replaced.
   */
  DISK_FULL;

  /** The name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Says why it cannot be done to a cluster, in words; empty: it can.
   *
   * @param durability null: the cluster's data is in memory
   */
  public String whyNot(@Nullable Durability durability) {
    return switch (this) {
      case KILL_ALL, DISK_LOST ->
          durability == null ? label() + " is for nodes with disks: durability async or fsync" : "";
      case POWER, DISK_SLOW, DISK_FULL ->
          durability == Durability.FSYNC
              ? PowerRecords.whyNot()
              : label() + " is for nodes with disks that are forced: durability fsync";
      default -> "";
    };
  }

  /**
   * Reads a list of names with commas in between, or {@code all} or {@code none}. All are those
   * that can be done to the cluster.
   *
   * @param durability null: the cluster's data is in memory
   * @throws IllegalArgumentException for a name that is none, with those that are, and for a fault
   *     that cannot be done, with the reason
   */
  public static Set<ClusterFault> parse(String names, @Nullable Durability durability) {
    EnumSet<ClusterFault> found = EnumSet.noneOf(ClusterFault.class);
    for (String name : names.split(",", -1)) {
      switch (name.trim()) {
        case "all" ->
            Arrays.stream(values())
                .filter(fault -> fault.whyNot(durability).isEmpty())
                .forEach(found::add);
        case "none" -> found.addAll(List.of());
        default -> {
          ClusterFault fault = of(name.trim());
          String whyNot = fault.whyNot(durability);
          if (!whyNot.isEmpty()) {
            throw new IllegalArgumentException(whyNot);
          }
          found.add(fault);
        }
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
