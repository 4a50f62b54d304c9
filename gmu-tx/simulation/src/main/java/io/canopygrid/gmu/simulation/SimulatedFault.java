package io.canopygrid.gmu.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A thing that can go wrong in a simulated grid, or be changed on purpose while it works. */
public enum SimulatedFault {
  /** A node joins. */
  JOIN,
  /** A node leaves in order. */
  LEAVE,
  /** Shards move between members. */
  MOVE,
  /** Shards move again and again, before they have arrived. */
  CHURN,
  /** A node dies. */
  CRASH,
  /** A node is expelled, and goes on for a while on its old topology. */
  STALE,
  /** A node stops for a while; in half of the cases it is expelled meanwhile, and goes on then. */
  PAUSE,
  /**
   * Some nodes can talk with each other but not with the rest, which expels them; they go on, hear
   * of it at last, and come back as new members.
   */
  PARTITION,
  /** Two nodes fail at once; only where shards have three owners. */
  TWO_FAILURES,
  /** All owners of a shard are cut off and expelled: more than a grid stands, so not among ALL. */
  SHARD_LOSS,
  /**
   * A new node is made an owner before it has the state. That is no failure of a node or a network
   * but a mistake of the membership service, so not among ALL; the node has to stop.
   */
  HASTY_JOIN,
  /** Clients wait for some reads and commits no longer. */
  GIVE_UP,
  /** Messages overtake each other. */
  REORDER,
  /** Some messages take very long. */
  DELAY,
  /** Some messages arrive twice. */
  DUPLICATE,
  /** Some messages between live members are lost, and sometimes all between two of them. */
  LOSS,
  /** A node misses topologies that are followed by another soon. */
  SKIP,
  /** Clients bring clocks that no transaction of the grid had. */
  FOREIGN_CLOCKS,
  /** The clocks of the nodes' machines are hours apart, run at different speeds, and jump. */
  SKEW,
  /** Nodes' reports of their load are late, or do not come. */
  LATE_REPORTS,
  /**
   * All nodes die at once, and others begin with their disks: nodes store what they have, which
   * they do not where this is left out. More than a grid in memory stands, so not among ALL.
   */
  KILL_ALL,
  /**
   * Where all nodes die, some disks do not come back: as many as nodes may fail at once, while more
   * than half are there. Not among ALL.
   */
  DISK_LOSS,
  /**
   * Where all nodes die, disks are lost without which the grid waits, as many as nodes may fail at
   * once. An operator says so; some of these disks come back all the same. Not among ALL.
   */
  WITHOUT,
  /**
   * A node dies, and soon another one joins with its disk: nodes store what they have, as with
   * {@link #KILL_ALL}. Not among ALL.
   */
  RESTART,
  /**
   * Where nodes die, the power fails at some of them or at all: what their disks have not forced is
   * lost, from some position on. A cut makes the rest consistent. Not among ALL.
   */
  POWER,
  /**
   * Nodes with disks have memory for few values: the others are on their disks only, which tell
   * them late. Not among ALL.
   */
  EVICT,
  /**
   * Some transactions run for longer than they may hold the horizon back: not among ALL, since all
   * others must end in time.
   */
  LONG_READERS,
  /**
   * Where a grid is founded from disks, the copies there are read late, one after the other, and
   * each in many steps. Not among ALL.
   */
  OPEN_LATE;

  /** The faults of a network, which harm messages only; no node fails, and no shard moves. */
  public static final Set<SimulatedFault> NETWORK = set(REORDER, DELAY, DUPLICATE);

  /** Planned changes of membership, on such a network. */
  public static final Set<SimulatedFault> PLANNED =
      set(JOIN, LEAVE, MOVE, SKIP, REORDER, DELAY, DUPLICATE);

  public static final Set<SimulatedFault> ALL =
      Collections.unmodifiableSet(
          EnumSet.complementOf(
              EnumSet.of(
                  SHARD_LOSS,
                  LONG_READERS,
                  HASTY_JOIN,
                  KILL_ALL,
                  DISK_LOSS,
                  WITHOUT,
                  RESTART,
                  POWER,
                  EVICT,
                  OPEN_LATE)));

  public static final Set<SimulatedFault> NONE = Set.of();

  private static Set<SimulatedFault> set(SimulatedFault first, SimulatedFault... others) {
    return Collections.unmodifiableSet(EnumSet.of(first, others));
  }

  /** Its name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads a list of names with commas in between: of faults, or {@code network}, {@code planned},
   * {@code all} and {@code none} for sets of them.
   *
   * @throws IllegalArgumentException for a name that is none, with those that are
   */
  public static Set<SimulatedFault> parse(String names) {
    EnumSet<SimulatedFault> found = EnumSet.noneOf(SimulatedFault.class);
    for (String name : names.split(",", -1)) {
      switch (name.trim()) {
        case "all" -> found.addAll(ALL);
        case "network" -> found.addAll(NETWORK);
        case "planned" -> found.addAll(PLANNED);
        case "none" -> found.addAll(NONE);
        default -> found.add(of(name.trim()));
      }
    }
    return Collections.unmodifiableSet(found);
  }

  private static SimulatedFault of(String name) {
    List<String> known = new ArrayList<>();
    for (SimulatedFault fault : values()) {
      if (fault.label().equals(name)) {
        return fault;
      }
      known.add(fault.label());
    }
    throw new IllegalArgumentException("no such fault: " + name + "; there are " + known);
  }
}
