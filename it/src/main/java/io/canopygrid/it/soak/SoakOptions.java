package io.canopygrid.it.soak;

import java.time.Duration;
import java.util.Set;

/**
 * What a soak run is like.
 *
 * @param nodes at least 3, so that the others can go on without one
 * @param shards besides the one of the crown, at least 1
 * @param faults what is done to the cluster; none: the clients are left in peace
 * @param seed decides the order and the details of the faults, and what clients do; not when what
 *     happens
 * @param duration no round begins later than this
 * @param faultsPerRound at least 1
 * @param failureTimeout after which a silent node is taken for dead
 */
public record SoakOptions(
    int nodes,
    int shards,
    Set<Fault> faults,
    long seed,
    Duration duration,
    int faultsPerRound,
    Duration failureTimeout) {
  /** Three nodes, nine shards, all faults, four in each round. */
  public static SoakOptions of(Duration duration, long seed) {
    return new SoakOptions(3, 8, Fault.parse("all"), seed, duration, 4, Duration.ofSeconds(3));
  }

  public SoakOptions {
    faults = Set.copyOf(faults);
    require(nodes >= 3, "nodes must be >= 3: " + nodes);
    require(shards >= 1, "shards must be >= 1: " + shards);
    require(faultsPerRound >= 1, "faults per round must be >= 1: " + faultsPerRound);
  }

  private static void require(boolean right, String otherwise) {
    if (!right) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** The same run on other nodes, with other faults. */
  public SoakOptions with(int otherNodes, Set<Fault> otherFaults) {
    return new SoakOptions(
        otherNodes, shards, otherFaults, seed, duration, faultsPerRound, failureTimeout);
  }
}
