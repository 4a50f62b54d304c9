package io.canopygrid.gmu.simulation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The options of a simulation.
 *
 * @param nodes how many there are at first
 * @param shards how many besides TOP
 * @param owners how many owners a shard has, while there are enough nodes
 * @param faults what may go wrong
 * @param sessions how many clients
 * @param transactions how many each of them runs
 * @param reads which ways to read there are
 * @param work what clients of the layer index do beside reads and writes
 * @param counterBits how many commits a shard can have in one epoch, as a power of two
 */
public record SimulationOptions(
    int nodes,
    int shards,
    int owners,
    Set<SimulatedFault> faults,
    int sessions,
    int transactions,
    Reads reads,
    Set<SimulatedWork> work,
    int counterBits) {
  /**
   * Four nodes, five shards with two owners each, eight clients with eight transactions each, on a
   * network that delays, reorders and repeats.
   */
  public static final SimulationOptions DEFAULT =
      new SimulationOptions(
          4, 5, 2, SimulatedFault.NETWORK, 8, 8, Reads.PLAIN, SimulatedWork.NONE, 40);

  public SimulationOptions {
    require(nodes, "nodes");
    require(shards, "shards");
    require(owners, "owners");
    require(sessions, "sessions");
    require(transactions, "transactions");
    EnumSet<SimulatedFault> copy = EnumSet.noneOf(SimulatedFault.class);
    copy.addAll(faults);
    faults = Collections.unmodifiableSet(copy);
    EnumSet<SimulatedWork> done = EnumSet.noneOf(SimulatedWork.class);
    done.addAll(work);
    work = Collections.unmodifiableSet(done);
  }

  private static void require(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
  }

  /** Two clients per node, eight transactions each. */
  public static SimulationOptions of(
      int nodes, int shards, int owners, Set<SimulatedFault> faults) {
    return new SimulationOptions(
        nodes, shards, owners, faults, 2 * nodes, 8, Reads.PLAIN, SimulatedWork.NONE, 40);
  }

  public SimulationOptions with(Reads ways) {
    return new SimulationOptions(
        nodes, shards, owners, faults, sessions, transactions, ways, work, counterBits);
  }

  public SimulationOptions with(Set<SimulatedFault> others) {
    return new SimulationOptions(
        nodes, shards, owners, others, sessions, transactions, reads, work, counterBits);
  }

  public SimulationOptions withSessions(int count) {
    return new SimulationOptions(
        nodes, shards, owners, faults, count, transactions, reads, work, counterBits);
  }

  public SimulationOptions withTransactions(int count) {
    return new SimulationOptions(
        nodes, shards, owners, faults, sessions, count, reads, work, counterBits);
  }

  public SimulationOptions withCounterBits(int bits) {
    return new SimulationOptions(
        nodes, shards, owners, faults, sessions, transactions, reads, work, bits);
  }

  public SimulationOptions withWork(Set<SimulatedWork> kinds) {
    return new SimulationOptions(
        nodes, shards, owners, faults, sessions, transactions, reads, kinds, counterBits);
  }

  boolean has(SimulatedFault fault) {
    return faults.contains(fault);
  }

  /** Whether nodes store what they have. */
  boolean hasDisks() {
    return has(SimulatedFault.KILL_ALL) || has(SimulatedFault.RESTART) || has(SimulatedFault.EVICT);
  }

  /** The number of nodes that may fail at once without a loss: as many as hosts set. */
  int failuresAtOnce() {
    return Math.max(1, owners - 1);
  }
}
