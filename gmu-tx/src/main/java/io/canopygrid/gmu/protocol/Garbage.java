package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Horizon;
import io.canopygrid.gmu.message.Message.HorizonReport;
import io.canopygrid.gmu.message.Message.LowWaterMark;
import io.canopygrid.gmu.message.Message.Watermark;
import io.canopygrid.gmu.message.Message.Watermarks;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out what nobody can need any more, and drops it (protocol.md, Decide, step 3, and Garbage):
 * a member tells all others its mark and the oldest one the lowest clock in use; that one tells all
 * the minimum.
 */
final class Garbage {
  /** The pins that are states of the past lie between other ones. */
  private static final byte[] MARKS = ReservedKcl.PINS.key(new byte[] {Pin.MARK}).bytes();

  private static final byte[] BEHIND_MARKS =
      ReservedKcl.PINS.key(new byte[] {Pin.MARK + 1}).bytes();

  private final NodeState node;
  private final Replicas replicas;
  private final Coordinator coordinator;

  Garbage(NodeState node, Replicas replicas, Coordinator coordinator) {
    this.node = node;
    this.replicas = replicas;
    this.coordinator = coordinator;
  }

  void tick() {
    List<NodeId> members = node.placements().members();
    if (members.isEmpty()) {
      return;
    }
    node.disks().retain(members);
    LowWaterMark mark =
        new LowWaterMark(node.placements().id(), coordinator.mark(), node.disks().of(node.self()));
    members.forEach(member -> node.outbox().send(member, mark));
    sendWatermarks();
    replicas.forEach(replica -> {
      if (canBeSeen(replica)) {
        node.horizon().raiseFloor(replica.stored().copy().clocks().mostRecent());
      }
    });
    VectorClock floor = node.horizon().floor();
    VectorClock lowest = lowestInUse(floor);
    node.horizon().reports(lowest);
    node.outbox().send(members.get(0), new HorizonReport(node.placements().id(), lowest, floor));
  }

  /**
   * Whether what a copy has applied can be seen: a floor is made of nothing else (Garbage). A
   * backup may have applied what will be lost with its coordinator and itself.
   */
  static boolean canBeSeen(Participant replica) {
    return replica.isServing();
  }

  /**
   * Tells the other owners and learners of this node's shards what they all have (Reads at
   * backups).
   */
  private void sendWatermarks() {
    Map<NodeId, List<Watermark>> told = new LinkedHashMap<>();
    replicas.forEach(replica -> {
      long number = replicas.completeUpTo(replica.shard());
      if (number > 0) {
        Watermark watermark = new Watermark(replica.shard(), number);
        for (NodeId member : node.placements().replicas(replica.shard())) {
          told.computeIfAbsent(member, h -> new ArrayList<>()).add(watermark);
        }
      }
    });
    told.remove(node.self());
    told.forEach((member, watermarks) ->
        node.outbox().send(member, new Watermarks(node.placements().id(), watermarks)));
  }

  /** The meet of the floor and the clock of all that runs here or is not done. */
  private VectorClock lowestInUse(VectorClock floor) {
    return meetForced(meetPins(meetUndone(coordinator.meetInUse(floor))));
  }

  /**
   * Meets what each complete copy here has forced without a gap, where a power cut can take what is
   * stored: what the horizon is above a cut must keep (Cuts).
   */
  VectorClock meetForced(VectorClock clock) {
    return node.changes().isForcedLater() ? replicas.meetForced(clock) : clock;
  }

  /** Meets what is prepared or decided, and not done: it holds the horizon back (Garbage). */
  VectorClock meetUndone(VectorClock clock) {
    VectorClock lowest = replicas.meetInUse(clock);
    for (Decision decision : node.decisions().all()) {
      lowest = lowest.meet(decision.snapshot());
    }
    return lowest;
  }

  /**
   * The meet of a clock with those of the named snapshots and states of the past in this node's
   * copy of TOP. A copy can lack one for a while, but not all of them do.
   */
  private VectorClock meetPins(VectorClock clock) {
    Participant top = replicas.top();
    if (top == null) {
      return clock;
    }
    OrderedView<VersionChain> chains = top.view().chains();
    VectorClock lowest = clock;
    OrderedCursor<VersionChain> before = chains.ascending(ReservedKcl.PINS.firstKey());
    while (before.next() && isBelow(before, MARKS)) {
      lowest = meetPin(lowest, before.value());
    }
    lowest = meetMarks(lowest, chains);
    OrderedCursor<VersionChain> behind = chains.ascending(BEHIND_MARKS);
    while (behind.next() && isBelow(behind, ReservedKcl.PINS.endKey())) {
      lowest = meetPin(lowest, behind.value());
    }
    return lowest;
  }

  /** The oldest state of the past has a clock that is below those of all others (Time travel). */
  private VectorClock meetMarks(VectorClock clock, OrderedView<VersionChain> chains) {
    OrderedCursor<VersionChain> marks = chains.ascending(MARKS);
    while (marks.next() && isBelow(marks, BEHIND_MARKS)) {
      if (marks.value().value() != null) {
        return meetPin(clock, marks.value());
      }
    }
    return clock;
  }

  private static boolean isBelow(OrderedCursor<VersionChain> cursor, byte[] end) {
    return Arrays.compareUnsigned(cursor.key(), end) < 0;
  }

  /** Meets a pin, which every member reports, whoever made it (Named snapshots). */
  VectorClock meetPin(VectorClock clock, VersionChain pin) {
    byte[] value = pin.value();
    return value == null ? clock : clock.meet(Pin.decode(value).clock());
  }

  void onReport(NodeId source, HorizonReport report) {
    List<NodeId> members = node.placements().members();
    node.horizon().raiseFloor(report.floor());
    node.horizon().report(source, report.clock());
    if (node.horizon().isComplete(members)) {
      Horizon told = new Horizon(node.horizon().conclude(), node.horizon().floor());
      members.forEach(member -> node.outbox().send(member, told));
    }
  }

  /** Only a member's word counts: see {@link HorizonTracker}. */
  void onHorizon(NodeId source, Horizon told) {
    if (node.placements().isMember(source)) {
      node.horizon().raiseFloor(told.floor());
      raise(told.clock());
    }
  }

  /** No clock in use is below this. */
  void raise(VectorClock horizon) {
    if (node.horizon().raise(horizon)) {
      node.changes().add(new StorageChange.PutHorizon(node.horizon().horizon()));
      replicas.forEach(Participant::prune);
    }
  }
}
