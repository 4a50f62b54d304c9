package io.canopygrid.btree.simulation;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.gmu.simulation.SimulatedWork;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kinds of work of one run, each of which is one class. */
final class TreeWorks {
  private static final Map<SimulatedWork, TreeWork.Factory> KINDS =
      new EnumMap<>(SimulatedWork.class);

  private final List<TreeWork> works = new ArrayList<>();

  TreeWorks(SimulatedGrid grid, TreeWorld world, TreeRun run) {
    for (SimulatedWork kind : run.work()) {
      TreeWork.Factory factory = KINDS.get(kind);
      if (factory != null) {
        works.add(factory.create(grid, world, run));
      }
    }
  }

  void onNode(GmuNode node, EmbeddedCanopy handle) {
    works.forEach(work -> work.onNode(node, handle));
  }

  void start() {
    works.forEach(TreeWork::start);
  }

  void finish() {
    works.forEach(TreeWork::finish);
  }

  List<String> check() {
    return works.stream().flatMap(work -> work.check().stream()).toList();
  }

  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    works.forEach(work -> counts.putAll(work.counts()));
    return counts;
  }
}
