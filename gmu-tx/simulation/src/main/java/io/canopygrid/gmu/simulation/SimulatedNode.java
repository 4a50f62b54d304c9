package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/** A node of the simulated grid, and what the simulation knows of it. */
final class SimulatedNode {
  final NodeId id;
  final ProtocolNode protocol;
  final VersionLedger ledger;

  /** Null: it keeps its data in memory only. */
  final @Nullable SimulatedDisk disk;

  /** The node whose disk it came back with, to a grid that had gone on; null: none. */
  @Nullable SimulatedNode cameBackAs;

  /** The id of the topology with which it founds a grid, which no host lets it miss; 0: none. */
  long founding;

  /** The topology that it has installed; null before the first. */
  @Nullable Topology topology;

  boolean dead;

  /** Told that it was expelled: it answers that it can do nothing. */
  boolean halted;

  /** Expelled, and it does not know: it gets no topologies any more. */
  boolean stale;

  /** Made an owner before it had the state, for which it has to stop. */
  boolean hasty;

  /** The time before which the node does nothing. */
  long pausedUntil;

  /** When it has looked at the time last. */
  long tickedAt;

  /** When it has looked at the time first, from which on it knows ages; -1 before. */
  long firstTickAt = -1;

  /** On its way out, in order. */
  boolean leaving;

  /** When the last topology will reach it. */
  long lastTopologyAt;

  SimulatedNode(
      NodeId id, ProtocolNode protocol, VersionLedger ledger, @Nullable SimulatedDisk disk) {
    this.disk = disk;
    this.id = id;
    this.protocol = protocol;
    this.ledger = ledger;
  }

  /** The disk of a node that has one. */
  SimulatedDisk onDisk() {
    return Invariant.present(disk, "no disk");
  }

  /** The newest value of a key, which the disk may have only; null: it has none. */
  byte @Nullable [] value(int shard, CompositeKey key, VersionLedger.Entry entry) {
    VersionChain newest = entry.newest;
    if (newest != null && newest.isCold()) {
      VersionId id = new VersionId(shard, key, newest.sequenceNumber(), newest.tid());
      return Invariant.present(onDisk().read(id), "a cold value that the disk does not have");
    }
    return newest == null ? null : newest.value();
  }

  long topologyId() {
    return topology == null ? 0 : topology.id();
  }

  boolean isPaused(long now) {
    return pausedUntil > now;
  }

  boolean isSteady() {
    return !dead && !stale && !leaving;
  }
}
