package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.simulation.ObservedTransaction.Kind;
import io.canopygrid.gmu.simulation.ObservedTransaction.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The named snapshots of a run: which there are, and what clients do with them next. */
final class SnapshotTasks {
  private static final int KEPT_MAX = 2;

  private final SimulatedWorld world;
  private final List<Named> taken = new ArrayList<>();
  private int count;

  SnapshotTasks(SimulatedWorld world) {
    this.world = world;
  }

  /** The use that a client makes of a snapshot. */
  enum Use {
    TAKE,
    READ,
    DROP
  }

  /** A client's task. */
  record Task(Use use, Named snapshot) {}

  /** A snapshot. All that is read in it, by whomever, is one transaction's reads. */
  final class Named {
    final ObservedTransaction log;
    private final CompositeKey key;
    private VectorClock clock = VectorClock.ZERO;
    private boolean dropped;

    private Named(int number) {
      this.key = Pin.key("snapshot-" + number);
      this.log = new ObservedTransaction(number, -1, Kind.NAMED, world.now());
    }

    CompositeKey key() {
      return key;
    }

    VectorClock clock() {
      return clock;
    }

    /** From now on it may be too old to be read: it was dropped, or a cut has taken it. */
    boolean isGone() {
      VectorClock committed = log.clock;
      return dropped || (committed != null && world.cuts.takes(committed, log.ended));
    }

    void taken(VectorClock at) {
      clock = at;
      log.status = Status.COMMITTED;
      log.ended = world.now();
      taken.add(this);
    }
  }

  /** The task of the next transaction with a snapshot; null: the transaction is an ordinary one. */
  @Nullable Task next() {
    SeededRandom random = world.readMix.snapshotTurn();
    if (random == null) {
      return null;
    }
    if (taken.isEmpty() || (taken.size() < KEPT_MAX && random.chance(0.3))) {
      return new Task(Use.TAKE, new Named(++count));
    }
    Named snapshot = random.oneOf(taken);
    if (random.chance(0.15)) {
      snapshot.dropped = true;
      taken.remove(snapshot);
      return new Task(Use.DROP, snapshot);
    }
    return new Task(Use.READ, snapshot);
  }
}
