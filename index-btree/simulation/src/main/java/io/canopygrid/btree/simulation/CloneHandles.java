package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The names of clones and their parents, and the handles of them that nodes have opened. */
final class CloneHandles {
  private static final List<String> NAMES = List.of("c0", "c1", "c2", "c3", "c4", "c5");

  private final SimulatedGrid grid;
  private final CloneCheck check;

  /** The names that some index may have; never empty. */
  private final NavigableSet<String> names = new TreeSet<>(List.of(NAMES.get(0)));

  /** By node those that it has opened, those of dropped indexes as well. */
  private final Map<EmbeddedCanopy, List<Opened>> opened = new HashMap<>();

  CloneHandles(SimulatedGrid grid, CloneCheck check) {
    this.grid = grid;
    this.check = check;
  }

  /**
   * A handle of an index.
   *
   * @param number the number of the index in the grid
   */
  record Opened(String name, int number, Index<Long, String> index) {
    @Override
    public String toString() {
      return name + " number " + number;
    }
  }

  /** The names that some index may have. */
  List<String> names() {
    return List.copyOf(names);
  }

  static List<String> others(String name) {
    return NAMES.stream().filter(other -> !other.equals(name)).toList();
  }

  static boolean isOne(String name) {
    return NAMES.contains(name);
  }

  void comes(String name) {
    names.add(name);
  }

  void goes(String name) {
    names.remove(name);
    if (names.isEmpty()) {
      names.add(NAMES.get(0));
    }
  }

  Opened open(EmbeddedCanopy db, String name) {
    long began = grid.now();
    IndexOptions small = new IndexOptions(HandleWork.ENTRIES_MAX);
    Index<Long, String> index = db.index(name, Codec.int64(), Codec.string(), small);
    Opened found = new Opened(name, SimulatedHandle.numberOf(db, index), index);
    check.opened(found.number(), began);
    names.add(name);
    List<Opened> known = opened.computeIfAbsent(db, any -> new ArrayList<>());
    if (!known.contains(found)) {
      known.add(found);
    }
    return found;
  }

  /** An index of the name, or, at times, one that had it before. */
  Opened anyOf(EmbeddedCanopy db, String name, SeededRandom random) {
    List<Opened> same =
        opened.getOrDefault(db, List.of()).stream()
            .filter(each -> each.name().equals(name))
            .toList();
    if (same.isEmpty() || random.chance(0.5)) {
      return open(db, name);
    }
    return random.chance(0.7) ? same.get(same.size() - 1) : random.oneOf(same);
  }
}
