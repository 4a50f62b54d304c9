package io.canopygrid.junit.simulation;

import io.canopygrid.gmu.simulation.SimulatedFault;
import java.util.Set;

/** A thing that can go wrong in a simulated grid. Each seed draws what happens, and when. */
public enum GridFault {
  /** A node dies, as by {@code kill -9}, and at some time another one joins. Needs 3 nodes. */
  KILL(3, "failures crash"),
  /**
   * A node stops for up to 30 ms and goes on. With 3 nodes or more the others take it for dead in
   * half of the cases, and it ends when it hears of that.
   */
  PAUSE(1, "pauses"),
  /** A node is cut off from the others, which go on without it; it ends. Needs 3 nodes. */
  PARTITION(3, "failures partition"),
  /** Shards move between nodes, also before the last move is complete. */
  MOVE(2, "moves"),
  /** A node joins. There are 6 nodes at most. */
  JOIN(1, "joins"),
  /** A node leaves in order, when its clients have ended. Needs 4 nodes. */
  LEAVE(4, "leaves"),
  /** Some messages take up to 40 ms instead of 1 ms, and messages overtake each other. */
  DELAY(2, "messages delayed"),
  /** Some messages arrive twice. */
  DUPLICATE(2, "messages repeated");

  private final int nodesMin;
  private final String counter;

  GridFault(int nodesMin, String counter) {
    this.nodesMin = nodesMin;
    this.counter = counter;
  }

  /** The number of nodes without which it never happens. */
  int nodesMin() {
    return nodesMin;
  }

  /** The counter of a run that says how often it happened. */
  String counter() {
    return counter;
  }

  /** The faults of the simulation that it is made of. */
  Set<SimulatedFault> kinds() {
    return switch (this) {
      case KILL -> Set.of(SimulatedFault.CRASH, SimulatedFault.JOIN);
      case PAUSE -> Set.of(SimulatedFault.PAUSE, SimulatedFault.JOIN);
      case PARTITION -> Set.of(SimulatedFault.PARTITION);
      case MOVE -> Set.of(SimulatedFault.MOVE, SimulatedFault.CHURN);
      case JOIN -> Set.of(SimulatedFault.JOIN);
      case LEAVE -> Set.of(SimulatedFault.LEAVE);
      case DELAY -> Set.of(SimulatedFault.DELAY, SimulatedFault.REORDER);
      case DUPLICATE -> Set.of(SimulatedFault.DUPLICATE);
    };
  }
}
