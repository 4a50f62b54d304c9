package io.canopygrid.gmu.protocol.garbage;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The horizon, below which no clock is in use, and this node's floor, where its transactions begin
 * (protocol.md, Garbage). The oldest member gathers the reports of all members, all made in its
 * topology, and tells the others the minimum.
 *
 * <p>A new member starts with the greatest horizon in its first flush. That is high enough: a
 * horizon above it could only come from the reports of all members of the new topology, its own
 * included, and one from the topology before is only taken from a member, which had it in its
 * flush.
 */
public final class HorizonTracker {
  private final Map<NodeId, VectorClock> reports = new HashMap<>();

  /** Written under the protocol lock; any thread may look. */
  private volatile VectorClock floor = VectorClock.ZERO;

  private VectorClock horizon = VectorClock.ZERO;

  /** The join of all that this node has ever reported. */
  private VectorClock reported = VectorClock.ZERO;

  /** Any thread. */
  public VectorClock floor() {
    return floor;
  }

  public VectorClock horizon() {
    return horizon;
  }

  /** The clock at or below which versions may be dropped (Garbage). */
  public VectorClock droppable() {
    return horizon;
  }

  /** This node says that nothing below this clock is in use at it. */
  public void reports(VectorClock clock) {
    reported = reported.join(clock);
  }

  /** At or below this clock others may have dropped versions by this node's word. */
  public VectorClock reported() {
    return reported.join(horizon);
  }

  public void raiseFloor(VectorClock seen) {
    floor = floor.join(seen);
  }

  /** Raises the horizon; false where it is there already. */
  public boolean raise(VectorClock clock) {
    if (clock.precedesOrEquals(horizon)) {
      return false;
    }
    horizon = horizon.join(clock);
    floor = floor.join(horizon);
    return true;
  }

  /** Forgets the reports of the topology before. */
  public void startRound() {
    reports.clear();
  }

  /** Takes a member's report of this topology. */
  public void report(NodeId member, VectorClock clock) {
    reports.put(member, clock);
  }

  /** Whether all members have reported; then {@link #conclude()}. */
  public boolean isComplete(List<NodeId> members) {
    return reports.keySet().containsAll(members);
  }

  /** The minimum of the reports; the next round begins. */
  public VectorClock conclude() {
    VectorClock lowest = null;
    for (VectorClock clock : reports.values()) {
      lowest = lowest == null ? clock : lowest.meet(clock);
    }
    reports.clear();
    return Invariant.present(lowest, "a grid without members");
  }
}
