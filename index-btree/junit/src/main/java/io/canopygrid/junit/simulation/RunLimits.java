package io.canopygrid.junit.simulation;

import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The grid of all runs, and how long each may take.
 *
 * @param nodes how many there are at first
 * @param faults what may go wrong
 * @param virtual the time in which all clients must have ended, in virtual time
 * @param standstill the time for which a body may not call Canopy, by a wall clock
 */
record RunLimits(int nodes, Set<GridFault> faults, Duration virtual, Duration standstill) {
  private static final int SHARDS = 5;
  private static final int OWNERS = 2;
  private static final int COUNTER_BITS = 40;

  /** The virtual time that the simulation gives to each of its transactions. */
  private static final Duration VIRTUAL_PER_TRANSACTION = Duration.ofMillis(500);

  /** As the simulation knows them. */
  SimulationOptions options() {
    EnumSet<SimulatedFault> kinds = EnumSet.noneOf(SimulatedFault.class);
    faults.forEach(fault -> kinds.addAll(fault.kinds()));
    long transactions = virtual.dividedBy(VIRTUAL_PER_TRANSACTION);
    return new SimulationOptions(
        nodes,
        SHARDS,
        Math.min(OWNERS, nodes),
        kinds,
        1,
        (int) Math.max(1, transactions),
        Reads.PLAIN,
        SimulatedWork.NONE,
        COUNTER_BITS);
  }
}
