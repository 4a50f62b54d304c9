package io.canopygrid.soak;

import io.canopygrid.Durability;
import io.canopygrid.Placement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a soak run.
 *
 * @param nodes at least 3, so that the others can go on without one
 * @param shards besides the one of the crown, at least 1
 * @param faults what is done to the cluster; none: the clients are left in peace
 * @param seed decides the order and the details of the faults, and what clients do; not when what
 *     happens
 * @param duration no round begins later than this, unless
 * @param transactions not so many were committed yet
 * @param faultsPerRound at least 1
 * @param failureTimeout after which a silent node is taken for dead
 * @param placement which node gets a subtree; with {@link Placement#NEAR} half of what the clients
 *     of a node do is in a part of the index that is theirs
 * @param durability of nodes with disks; null: data is in memory
 * @param previous the unpacked archive of another release: nodes are of that and of this one by
 *     turns, the first one and each that takes the place of another; null: all are of this one
 */
public record SoakOptions(
    int nodes,
    int shards,
    Set<ClusterFault> faults,
    long seed,
    Duration duration,
    long transactions,
    int faultsPerRound,
    Duration failureTimeout,
    Placement placement,
    @Nullable Durability durability,
    @Nullable Path previous) {
  /** Three nodes, nine shards, all faults, four in each round, data in memory and spread evenly. */
  public static SoakOptions of(Duration duration, long seed) {
    return new SoakOptions(
        3,
        8,
        ClusterFault.parse("all", null),
        seed,
        duration,
        0,
        4,
        Duration.ofSeconds(3),
        Placement.EVEN,
        null,
        null);
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

  /** The same run on other nodes. */
  public SoakOptions nodes(int value) {
    return new SoakOptions(
        value,
        shards,
        faults,
        seed,
        duration,
        transactions,
        faultsPerRound,
        failureTimeout,
        placement,
        durability,
        previous);
  }

  /** The same run with other faults. */
  public SoakOptions faults(Set<ClusterFault> value, int inEachRound) {
    return new SoakOptions(
        nodes,
        shards,
        value,
        seed,
        duration,
        transactions,
        inEachRound,
        failureTimeout,
        placement,
        durability,
        previous);
  }

  /** The same run that goes on until so many transactions are committed. */
  public SoakOptions transactions(long value) {
    return new SoakOptions(
        nodes,
        shards,
        faults,
        seed,
        duration,
        value,
        faultsPerRound,
        failureTimeout,
        placement,
        durability,
        previous);
  }

  /** The same run with another placement. */
  public SoakOptions placement(Placement value) {
    return new SoakOptions(
        nodes,
        shards,
        faults,
        seed,
        duration,
        transactions,
        faultsPerRound,
        failureTimeout,
        value,
        durability,
        previous);
  }

  /** The same run on nodes with disks; null: with data in memory. */
  public SoakOptions durability(@Nullable Durability value) {
    return new SoakOptions(
        nodes,
        shards,
        faults,
        seed,
        duration,
        transactions,
        faultsPerRound,
        failureTimeout,
        placement,
        value,
        previous);
  }

  /** The same run with nodes of another release, too; null: of this one alone. */
  public SoakOptions previous(@Nullable Path value) {
    return new SoakOptions(
        nodes,
        shards,
        faults,
        seed,
        duration,
        transactions,
        faultsPerRound,
        failureTimeout,
        placement,
        durability,
        value);
  }
}
