package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.recovery.RecoveryDecision.Answer;
import io.canopygrid.gmu.recovery.RecoveryDecision.Founded;
import io.canopygrid.gmu.recovery.RecoveryDecision.Mixed;
import io.canopygrid.gmu.recovery.RecoveryDecision.Waits;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Why a grid is not founded from its disks, in words.
 *
 * @param grid the name of the grid
 * @param shards of the grid, without TOP
 * @param missing names a member whose disk is not there
 * @param there names a node that is there
 */
record DiskWait(
    String grid, int shards, Function<NodeId, String> missing, Function<NodeId, String> there) {
  /**
   * The words.
   *
   * @param answer null: not all nodes that are there have said what they have
   * @param nodes those that are there, this one among them
   */
  String text(@Nullable Answer answer, Set<NodeId> nodes) {
    String present = names(nodes.stream().sorted().toList(), there);
    if (answer instanceof Waits waits) {
      return String.format(
          Locale.ROOT,
          "grid '%s' waits for disks: %d of the %d that it had last are there, %s. Nodes that are"
              + " there: %s. %s",
          grid,
          waits.members() - waits.missing().size(),
          waits.members(),
          lack(waits),
          present,
          waits.missing().isEmpty()
              ? "Start all other nodes that have data of this grid"
              : "Start the missing ones: " + names(waits.missing(), missing));
    }
    if (answer instanceof Founded founded) {
      Topology newest = founded.newest();
      return String.format(
          Locale.ROOT,
          "grid '%s' is about to be founded with %d of the %d disks that it had last, and waits a"
              + " moment for others. Nodes that are there: %s",
          grid,
          founded.members().size(),
          newest.shard(newest.top()).owners().size(),
          present);
    }
    if (answer instanceof Mixed mixed) {
      return String.format(
          Locale.ROOT,
          "grid '%s' cannot be founded: disks of several grids are there, each of which could be"
              + " founded: %s. Nodes that are there: %s. Stop those of all grids but one",
          grid,
          mixed.grids(),
          present);
    }
    return String.format(
        Locale.ROOT,
        "grid '%s' waits: not all nodes that are there have said what is on their disks. Nodes that"
            + " are there: %s",
        grid,
        present);
  }

  private String lack(Waits waits) {
    long without = waits.shards().stream().filter(shard -> shard < shards).count();
    if (without > 0) {
      return String.format(
          Locale.ROOT, "and none of these has a complete copy of %d of %d shards", without, shards);
    }
    return waits.shards().isEmpty()
        ? "which is too few: the others could have gone on without them"
        : "and none of these knows where the data is";
  }

  private static String names(List<NodeId> nodes, Function<NodeId, String> name) {
    return String.join(", ", nodes.stream().map(name).toList());
  }
}
