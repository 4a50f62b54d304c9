package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.FlushDone;
import io.canopygrid.gmu.protocol.garbage.Decisions;
import io.canopygrid.gmu.protocol.membership.FlushRound;
import io.canopygrid.gmu.protocol.membership.Placements;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import io.canopygrid.gmu.storage.CutContent;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes this node from one topology to the next: installs it, and completes its flush (protocol.md,
 * Topology changes, Flush).
 */
final class TopologyChanges {
  private final NodeState node;
  private final Outbox outbox;
  private final Placements placements;
  private final FlushRound flush;
  private final Decisions decisions;
  private final Roles roles;

  /** As in {@link StorageChange.PutTopology}, of the topology that is installed. */
  private @Nullable List<Topology> over;

  /** The content of the disk of a node that joins, until its first topology. */
  private Recovered outOfDate = Recovered.NOTHING;

  /** The changes that the founding topology makes on this disk. */
  private List<StorageChange> ofFounding = List.of();

  /** The cuts that the disk knows. */
  private List<Cut> storedCuts = List.of();

  private boolean ready;
  private boolean halted;

  TopologyChanges(NodeState node, Roles roles) {
    this.node = node;
    this.outbox = node.outbox();
    this.placements = node.placements();
    this.flush = node.flush();
    this.decisions = node.decisions();
    this.roles = roles;
  }

  /** Whether a flush was ever complete here. */
  boolean isReady() {
    return ready;
  }

  /** Whether a topology without this node was installed: nothing happens here any more. */
  boolean isHalted() {
    return halted;
  }

  void install(Topology topology) {
    if (topology.id() <= placements.id()) {
      return;
    }
    Invariant.holds(
        topology.id() <= node.config().topologyMax(),
        "topology %s is above all epochs: the grid must be started anew",
        topology.id());
    if (!topology.members().contains(node.self())) {
      halt(topology.members());
      return;
    }
    boolean first = placements.id() == 0;
    over = first ? placements.foundedOver(topology.id()) : overNext();
    comeBack();
    node.changes().addAll(ofFounding);
    ofFounding = List.of();
    storeCuts();
    boolean gap = placements.install(topology);
    outbox.installsTopology();
    node.changes().add(new StorageChange.PutTopology(topology, over));
    node.horizon().startRound();
    sendFlush();
    roles.replicas.onTopology(gap);
    roles.hot.onTopology();
    roles.transactions.onTopology();
    roles.delegated.clear();
    roles.coordinator.onTopology();
    outbox.redeliverDeferred();
    checkFlush();
    roles.replicas.forEach(Participant::checkTakeover);
  }

  /** As {@link ProtocolNode#joins}. */
  void joins(Recovered recovered) {
    outOfDate = recovered;
    storedCuts = recovered.cuts();
  }

  /**
   * This node is one of those who found the grid.
   *
   * @param cut the one with which the grid is founded; null: none
   * @param recovered the content of the disk
   * @return what the cut leaves of it
   */
  Recovered founds(@Nullable Cut cut, Recovered recovered) {
    storedCuts = recovered.cuts();
    node.cuts().learn(storedCuts);
    if (cut == null) {
      return recovered;
    }
    Invariant.holds(
        cut.keeps(recovered.horizon()), "a cut below the horizon: %s", recovered.horizon());
    node.cuts().learn(List.of(cut));
    CutContent content = CutContent.of(recovered, cut);
    ofFounding = content.changes();
    return content.kept();
  }

  /** The number of commits that the founding's cut takes from the copies of this disk. */
  long cutOff() {
    return ofFounding.stream().filter(StorageChange.DropLog.class::isInstance).count();
  }

  /** Stores the cuts that the disk does not know. */
  private void storeCuts() {
    List<Cut> known = node.cuts().all();
    if (!known.equals(storedCuts)) {
      node.changes().add(new StorageChange.PutCuts(known));
      storedCuts = known;
    }
  }

  /** Copies of before may be gone on with; decisions are not, as others have pruned them. */
  private void comeBack() {
    roles.replicas.comeBack(outOfDate.copies());
    for (Decision decision : outOfDate.decisions()) {
      node.changes().add(new StorageChange.DropDecision(decision.tid()));
    }
    outOfDate = Recovered.NOTHING;
  }

  /**
   * Whether a topology may be the next one: where nodes have disks, the grid may go on with its
   * owners of TOP from each one that counts until all have it. The others could else found a grid
   * without them, or one that lacks something.
   */
  boolean mayInstall(Topology next) {
    if (!node.changes().isKept() || placements.id() == 0) {
      return true;
    }
    Set<NodeId> owners = Set.copyOf(next.shard(next.top()).owners());
    List<Topology> before = over == null ? List.of() : over;
    return Stream.concat(before.stream(), Stream.of(placements.topology()))
        .allMatch(each -> RecoveryDecision.mayGoOn(each, owners, node.config().failuresAtOnce()));
  }

  /** The topologies that count beside the next one: the present one, and those beside it. */
  private @Nullable List<Topology> overNext() {
    return over == null
        ? null
        : Stream.concat(over.stream(), Stream.of(placements.topology())).toList();
  }

  /**
   * This node was expelled: open reads and commits are answered as well as can be.
   *
   * @param remaining the members of the topology without it
   */
  private void halt(List<NodeId> remaining) {
    roles.transactions.halt();
    roles.coordinator.halt(remaining);
    roles.delegated.clear();
    roles.hot.clear();
    halted = true;
  }

  /** All decisions to commit that are known here and not done, to every other member (Flush). */
  private void sendFlush() {
    Map<TxId, Decision> known = new LinkedHashMap<>();
    decisions.commits().forEach(d -> known.put(d.tid(), d));
    roles.coordinator.commits().forEach(d -> known.put(d.tid(), d));
    Flush message =
        new Flush(
            placements.id(), List.copyOf(known.values()), flushedHorizon(), node.cuts().all());
    flush.start(node.self(), placements.members(), message, outbox.nowNanos());
    for (NodeId member : placements.members()) {
      if (!member.equals(node.self())) {
        outbox.send(member, message);
      }
    }
  }

  /** The horizon that a flush carries (Flush). */
  VectorClock flushedHorizon() {
    return node.horizon().horizon();
  }

  void onFlush(NodeId source, Flush message) {
    if (flush.isNew(source)) {
      boolean stable = !node.awaitsFlushOfAll();
      roles.garbage.raise(message.horizon());
      node.cuts().learn(message.cuts());
      for (Decision decision : message.decisions()) {
        if (!decisions.isDone(decision.tid()) && !roles.coordinator.coordinates(decision.tid())) {
          roles.replicas.learn(decision, null, stable);
        }
      }
      flush.onFlush(source, message);
      checkFlush();
    } else if (flush.isComplete()) {
      // The member asks again, as it has not heard that this node is done.
      outbox.send(source, new FlushDone(placements.id()));
    }
  }

  /** Tells again what members have not heard for long (Lost messages). */
  void flushAgain() {
    Flush own = flush.own();
    if (own != null) {
      for (NodeId member : flush.overdue(outbox.nowNanos(), node.config().resendNanos())) {
        if (!member.equals(node.self())) {
          outbox.send(member, own);
        }
      }
    }
  }

  private void checkFlush() {
    if (!flush.completes()) {
      return;
    }
    ready = true;
    over = List.of();
    storeCuts();
    node.changes().add(new StorageChange.PutInstalledByAll(placements.id()));
    roles.replicas.abortOrphans();
    roles.coordinator.onFlushed();
    roles.delegated.onFlushed();
    for (NodeId member : placements.members()) {
      outbox.send(member, new FlushDone(placements.id()));
    }
    roles.replicas.forEach(replica -> {
      replica.checkTakeover();
      replica.answerState();
    });
  }

  void onFlushDone(NodeId source) {
    boolean before = flush.isDone();
    flush.onDone(source);
    if (flush.isDone() && !before) {
      roles.replicas.exposeFlushed();
      flush.resolve();
      roles.replicas.forEach(Participant::checkTakeover);
      decisions.forgetAll(
          coordinator -> !placements.isMember(coordinator), roles.replicas::countQueued);
    }
  }
}
