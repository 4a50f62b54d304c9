package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.HoldingTransaction;
import java.util.List;

/**
 * The things that hold the horizon at one node, for people (protocol.md, Garbage). It only looks:
 * nothing in the protocol depends on it.
 */
public final class HorizonHolds {
  private final NodeState node;
  private final Roles roles;

  HorizonHolds(NodeState node, Roles roles) {
    this.node = node;
    this.roles = roles;
  }

  /**
   * The clocks at one moment. A clock that is below the floor holds the horizon below it.
   *
   * @param floor where transactions begin that begin now
   * @param horizon at or below it versions are dropped
   * @param undone the lowest snapshot of what is prepared or decided here and not done; the floor
   *     where there is none
   * @param undoneCommits how many those are
   * @param forced up to where the disk is forced; the floor where a power cut takes nothing
   * @param logged the entries in the logs of this node's copies
   */
  public record Clocks(
      VectorClock floor,
      VectorClock horizon,
      VectorClock undone,
      int undoneCommits,
      VectorClock forced,
      long logged) {}

  // ---- on any thread

  /** As {@link RunningTransactions#named}. */
  public void named(long transaction, String label) {
    roles.transactions.named(transaction, label);
  }

  /** As {@link RunningTransactions#oldest}. */
  public List<HoldingTransaction> oldest(int most) {
    return roles.transactions.oldest(most);
  }

  /** As {@link RunningTransactions#oldestNanos}. */
  public long oldestNanos() {
    return roles.transactions.oldestNanos();
  }

  /** Where transactions begin that begin now. */
  public VectorClock floor() {
    return node.horizon().floor();
  }

  // ---- under the protocol lock

  /** The clocks as they are now. */
  public Clocks clocks() {
    VectorClock floor = floor();
    return new Clocks(
        floor,
        node.horizon().horizon(),
        roles.garbage.meetUndone(floor),
        roles.replicas.countUndone(),
        roles.garbage.meetForced(floor),
        roles.replicas.logged());
  }
}
