package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.List;

/**
 * The last client: when all others have ended and faults have stopped, it reads every key from
 * every node, and checks the trees.
 */
final class TreeFinish {
  /** The time between two looks whether the others have ended, in units of virtual time. */
  private static final int LOOK_EVERY = 50;

  /** For how many looks faults may have their effects after the last of them. */
  private static final int LOOKS_MAX = 1_000;

  /** The number of writes to a subtree that may see it closing before it counts as left so. */
  private static final int WRITES_MAX = 3;

  private final SimulatedGrid grid;
  private final TreeWorld world;
  private final TreeLog log;

  /** Waits until the structure comes to rest. */
  private final Runnable rest;

  TreeFinish(SimulatedGrid grid, TreeWorld world, TreeLog log, Runnable rest) {
    this.grid = grid;
    this.world = world;
    this.log = log;
    this.rest = rest;
  }

  void run() {
    while (grid.clients() > 1) {
      grid.sleep(LOOK_EVERY);
    }
    for (int looks = 0; !grid.isCalm(); looks++) {
      if (looks > LOOKS_MAX) {
        grid.problem("liveness: the grid does not recover after the last fault");
        return;
      }
      grid.sleep(LOOK_EVERY);
    }
    rest.run();
    List<GmuNode> nodes = grid.usable();
    for (GmuNode node : nodes) {
      grid.use(node, () -> guarded(node));
    }
  }

  private void guarded(GmuNode node) {
    try {
      look(world.handle(node));
    } catch (CanopyException e) {
      grid.problem("the last client at " + node.self() + ": " + e.getMessage());
    }
  }

  private void look(EmbeddedCanopy db) {
    for (int index = 0; index < world.indexes(); index++) {
      Index<Long, Long> opened = world.open(db, index);
      for (int writes = 0; check(db, opened).closing() > 0; writes++) {
        if (writes > WRITES_MAX) {
          grid.problem("index " + index + " has subtrees left closing");
          break;
        }
        writeAll(db, index, opened);
      }
    }
    readAll(db);
  }

  private IndexCheck.Report check(EmbeddedCanopy db, Index<Long, Long> index) {
    return db.check(index, Duration.ofSeconds(10));
  }

  /** A write that meets a split left behind has it finished. */
  private void writeAll(EmbeddedCanopy db, int index, Index<Long, Long> opened) {
    for (long key = 0; key < world.keys(); key++) {
      Slot slot = new Slot(index, key);
      grid.takeCommitted();
      Attempt attempt = log.begin(-1, Attempt.Kind.UPDATE);
      log.wrote(attempt, slot, true);
      db.run(after(), tx -> tx.on(opened).put(slot.key(), attempt.number));
      attempt.clock = grid.takeCommitted();
      log.end(attempt, Attempt.Status.COMMITTED);
    }
  }

  private void readAll(EmbeddedCanopy db) {
    Attempt attempt = log.begin(-1, Attempt.Kind.READ_ONLY);
    TreeBody body = new TreeBody(grid, grid.random(999), world, log, attempt, db);
    db.read(
        after(),
        tx -> {
          for (int index = 0; index < world.indexes(); index++) {
            for (boolean reverse : new boolean[] {false, true}) {
              body.scan(
                  index,
                  tx.on(world.open(db, index)),
                  0,
                  world.keys() - 1L,
                  reverse,
                  Integer.MAX_VALUE);
            }
          }
          return tx;
        });
    attempt.seesAll = true;
    log.end(attempt, Attempt.Status.COMMITTED);
  }

  private TransactionOptions after() {
    return TransactionOptions.DEFAULTS.withAfter(world.told());
  }
}
