package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A client that changes the structure all the time, at some node: shifts, merges, moves to some
 * shard, splits, and removes what is retired. Between these it checks that the subtrees partition
 * the key space in a snapshot.
 */
final class TreeMover {
  private final SimulatedGrid grid;
  private final TreeWorld world;
  private final SeededRandom random;

  TreeMover(SimulatedGrid grid, TreeWorld world, SeededRandom random) {
    this.grid = grid;
    this.world = world;
    this.random = random;
  }

  /** Goes on as long as there are others to be disturbed. */
  void run() {
    int changes = random.oneOf(3, 10, 30);
    for (int i = 0; i < changes; i++) {
      grid.sleep(random.oneOf(5, 20, 60));
      List<GmuNode> usable = grid.usable();
      if (!usable.isEmpty()) {
        GmuNode node = random.oneOf(usable);
        grid.use(node, () -> guarded(node));
      }
    }
  }

  private void guarded(GmuNode node) {
    try {
      change(node);
    } catch (TimeoutException | CanopyException e) {
      grid.note("a change of the structure did not end: " + e.getMessage());
    } catch (InvariantViolation e) {
      grid.problem("a change of the structure at " + node.self() + ": " + e.getMessage());
    } catch (RuntimeException e) {
      if (grid.usable().contains(node)) {
        grid.problem("a change of the structure at " + node.self() + ": " + e);
      }
    }
  }

  private void change(GmuNode node) throws TimeoutException {
    Reshaping reshaping = SimulatedHandle.reshaping(world.handle(node));
    List<CrownEntry> crown = new ArrayList<>();
    Crown.forEach(node.top(), crown::add);
    if (crown.isEmpty()) {
      return;
    }
    long kcl = random.oneOf(crown).kcl();
    boolean left = random.chance(0.5);
    switch (random.below(7)) {
      case 0 -> note("merges " + kcl, reshaping.merge(kcl, left));
      case 1 -> {
        int shard = random.below(node.shardMap().shards());
        note("moves " + kcl + " to shard " + shard, reshaping.move(kcl, shard));
      }
      case 2 -> note("splits " + kcl, reshaping.split(kcl));
      case 3 -> reshaping.removeRetired();
      case 4 -> inspect(node);
      default -> {
        int entries = random.oneOf(1, 2, 4);
        String side = left ? " left" : " right";
        note("shifts " + entries + " of " + kcl + side, reshaping.shift(kcl, left, entries));
      }
    }
  }

  /** Whether the subtrees partition the key space in one snapshot. */
  private void inspect(GmuNode node) {
    EmbeddedCanopy db = world.handle(node);
    try {
      db.check(world.open(db, world.anyIndex(random)), Duration.ofSeconds(10));
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.INTERNAL_ERROR) {
        grid.problem("no sound tree in a snapshot at " + node.self() + ": " + e.getMessage());
      }
    }
  }

  private void note(String what, Reshaping.Ending ending) {
    grid.note(what + ": " + ending);
  }
}
