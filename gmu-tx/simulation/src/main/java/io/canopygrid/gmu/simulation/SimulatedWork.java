package io.canopygrid.gmu.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A kind of work that clients of the layer index do beside reads and writes. */
public enum SimulatedWork {
  /** Commits with a name, whose outcome is looked up at any node. */
  COMMITS,
  /** Functions that run at the node that has their data. */
  FUNCTIONS,
  /** Tables, whose indexes are built and dropped while their rows change. */
  TABLES,
  /** Cursors that go on page by page for a long time, in one snapshot or in several. */
  CURSORS,
  /** Sorted loads, which are resumed where they stopped. */
  LOADS,
  /** Indexes and a table that are dropped and created again. */
  DROPS,
  /** States of the past, which are kept, and read as of their time. */
  PAST,
  /** Copies of an index that are kept by feeds of its changes. */
  FEEDS,
  /** Clones, their parents, and clones of them, which are flattened and dropped. */
  CLONES,
  /** Commits and calls of clients of servers, over connections that are lost. */
  REMOTE,
  /** Transactions of several resources, which are prepared first, and whose managers die. */
  GLOBAL;

  public static final Set<SimulatedWork> ALL =
      Collections.unmodifiableSet(EnumSet.allOf(SimulatedWork.class));

  public static final Set<SimulatedWork> NONE = Set.of();

  /** Its name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads {@code all}, {@code none}, or names with commas in between.
   *
   * @throws IllegalArgumentException for a name that is none, with those that are
   */
  public static Set<SimulatedWork> parse(String names) {
    EnumSet<SimulatedWork> found = EnumSet.noneOf(SimulatedWork.class);
    for (String name : names.split(",", -1)) {
      switch (name.strip()) {
        case "all" -> found.addAll(ALL);
        case "none" -> {}
        default -> found.add(of(name.strip()));
      }
    }
    return Collections.unmodifiableSet(found);
  }

  private static SimulatedWork of(String name) {
    List<String> known = new ArrayList<>(List.of("all", "none"));
    for (SimulatedWork work : values()) {
      if (work.label().equals(name)) {
        return work;
      }
      known.add(work.label());
    }
    throw new IllegalArgumentException("no such work: '" + name + "'; there are " + known);
  }

  /** Kinds of work as {@link #parse} reads them. */
  public static String names(Set<SimulatedWork> work) {
    return work.isEmpty()
        ? "none"
        : work.stream().map(SimulatedWork::label).collect(Collectors.joining(","));
  }
}
