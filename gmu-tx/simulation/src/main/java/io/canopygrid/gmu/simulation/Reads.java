package io.canopygrid.gmu.simulation;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Which ways to read there are in some runs, besides snapshots at primaries. */
public record Reads(Set<Way> ways) {
  /** In snapshots, at primaries, one after the other; few read-only transactions are validated. */
  public static final Reads PLAIN = new Reads(Set.of());

  /** All ways but hot copies, so that the seeds of runs without these stay what they are. */
  public static final Reads ALL = new Reads(EnumSet.complementOf(EnumSet.of(Way.HOT)));

  /** All ways. */
  public static final Reads ALL_AND_HOT = new Reads(EnumSet.allOf(Way.class));

  /** A way to read. */
  public enum Way {
    /** Sessions whose read-only transactions are validated. */
    SERIALIZABLE,
    /** Snapshots with a name, taken, read and dropped. */
    NAMED,
    /** At backups. */
    NEAREST,
    /** Several reads at the same time. */
    PARALLEL,
    /** In turn. */
    TURNS,
    /** At hot copies; {@code all} does not have these. */
    HOT
  }

  public Reads {
    EnumSet<Way> copy = EnumSet.noneOf(Way.class);
    copy.addAll(ways);
    ways = Collections.unmodifiableSet(copy);
  }

  /**
   * Reads {@code plain}, {@code all} (but {@code hot}), or names of ways with commas in between.
   *
   * @throws IllegalArgumentException where a name is none
   */
  public static Reads parse(String text) {
    EnumSet<Way> ways = EnumSet.noneOf(Way.class);
    for (String name : text.split(",", -1)) {
      switch (name.strip()) {
        case "plain" -> {}
        case "all" -> ways.addAll(ALL.ways);
        default -> ways.add(way(name.strip()));
      }
    }
    return new Reads(ways);
  }

  private static Way way(String name) {
    return Arrays.stream(Way.values())
        .filter(way -> name(way).equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no such way to read: '" + name + "'; there are plain, all, " + names()));
  }

  /** The names of all ways. */
  public static String names() {
    return Arrays.stream(Way.values()).map(Reads::name).collect(Collectors.joining(", "));
  }

  private static String name(Way way) {
    return way.name().toLowerCase(Locale.ROOT);
  }

  /** Whether this way is among them. */
  public boolean has(Way way) {
    return ways.contains(way);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    if (equals(ALL)) {
      return "all";
    }
    if (equals(ALL_AND_HOT)) {
      return "all,hot";
    }
    List<String> names = ways.stream().map(Reads::name).toList();
    return names.isEmpty() ? "plain" : String.join(",", names);
  }
}
