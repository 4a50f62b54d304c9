package io.canopygrid.gmu.simulation;

/**
 * What is simulated.
 *
 * @param nodes how many there are at first
 * @param shards how many besides TOP
 * @param owners how many owners a shard has, while there are enough nodes
 * @param faults which changes of membership there are
 * @param sessions how many clients
 * @param transactions how many each of them runs
 */
public record SimulationOptions(
    int nodes, int shards, int owners, Faults faults, int sessions, int transactions) {
  /** Four nodes, five shards with two owners each, eight clients with eight transactions each. */
  public static final SimulationOptions DEFAULT = new SimulationOptions(4, 5, 2, Faults.NONE, 8, 8);

  /** Which changes of membership there are. */
  public enum Faults {
    /** None. */
    NONE,
    /** Nodes join and leave in order, shards move. */
    PLANNED,
    /** Also, one at a time: nodes crash, or are expelled and go on for a while. */
    ALL
  }

  public SimulationOptions with(Faults level) {
    return new SimulationOptions(nodes, shards, owners, level, sessions, transactions);
  }

  /** The default with another size. */
  public static SimulationOptions of(int nodes, int shards, int owners, Faults faults) {
    return new SimulationOptions(nodes, shards, owners, faults, 2 * nodes, 8);
  }

  public SimulationOptions withSessions(int count) {
    return new SimulationOptions(nodes, shards, owners, faults, count, transactions);
  }
}
