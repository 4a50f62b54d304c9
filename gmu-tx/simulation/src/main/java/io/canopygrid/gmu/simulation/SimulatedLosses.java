package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The disks that are lost, and the words of an operator on them. */
final class SimulatedLosses {
  private final SimulatedWorld world;

  /** The disks that nobody will see again. */
  private final Set<DiskId> lost = new HashSet<>();

  /** Disks that an operator has said to be lost, and that may come back. */
  private final Set<DiskId> saidLost = new HashSet<>();

  /** The number of the last word of an operator; 0: there was none. */
  private long lastWord;

  SimulatedLosses(SimulatedWorld world) {
    this.world = world;
  }

  boolean contains(DiskId disk) {
    return lost.contains(disk);
  }

  void add(DiskId disk) {
    lost.add(disk);
  }

  /**
   * An operator says that disks are lost; about half of them come back later all the same.
   *
   * @param decision what the disks that are there would found
   */
  void say(
      List<SimulatedNode> without,
      Map<DiskId, SimulatedNode> there,
      Supplier<RecoveryDecision.@Nullable Answer> decision) {
    if (without.isEmpty()) {
      return;
    }
    world.counters.add("words on lost disks", 1);
    Map<NodeId, Long> members = new HashMap<>();
    for (SimulatedNode node : without) {
      node.onDisk().recovered().users().forEach(each -> members.put(each, world.topology().id()));
      (world.diskRandom.chance(0.5) ? lost : saidLost).add(node.onDisk().id);
    }
    lastWord = world.topology().id();
    Losses lossesOnly = new Losses(lastWord, members, 0, Set.of());
    there.values().forEach(node -> node.onDisk().hear(lossesOnly));
    if (decision.get() instanceof RecoveryDecision.Founded founded) {
      Losses word = new Losses(lastWord, members, founded.newest().id(), Set.of());
      there.values().forEach(node -> node.onDisk().hear(word));
    }
  }

  /** A disk that was said to be lost comes back to the part of the grid that was told, only. */
  void keepPromise(Map<DiskId, SimulatedNode> there) {
    if (words(there.values()).words() < lastWord) {
      there.keySet().removeAll(saidLost);
    }
  }

  static Losses words(Collection<SimulatedNode> there) {
    return there.stream()
        .map(node -> node.onDisk().standing().losses())
        .reduce(Losses.NONE, Losses::with);
  }
}
