package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.memory.DiskImage;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.simulation.VersionLedger.Place;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether what a node has asked its disk to store is what the node has: a replay of all
 * changes gives its copies, with their versions and as many entries in their logs.
 */
final class DiskCheck {
  private final SimulatedWorld world;

  DiskCheck(SimulatedWorld world) {
    this.world = world;
  }

  /** Reports where a node differs from its disk; does nothing for one without a disk. */
  void check(SimulatedNode node) {
    SimulatedDisk disk = node.disk;
    // A cut takes it from the disk together with the founding topology.
    boolean isToCut = node.topology == null && world.cuts.isBegun();
    if (disk == null || node.halted || isToCut) {
      return;
    }
    Map<Integer, DiskImage.Copy> copies = disk.asked().copies();
    List<ProtocolStatus.Shard> shards = node.protocol.status().shards();
    if (node.topology != null && shards.size() != used(node, copies)) {
      problem(node, "copies: " + copies.keySet() + " for " + shards);
    }
    for (ProtocolStatus.Shard shard : shards) {
      DiskImage.Copy copy = copies.get(shard.shard());
      if (copy == null) {
        continue;
      }
      if (copy.isComplete() != shard.synced() || copy.logged() != shard.logged()) {
        problem(node, "the log: " + copy.logged() + " for " + shard);
      }
      if (!shard.closed()) {
        checkVersions(node, shard.shard(), copy);
      }
    }
  }

  /** The number of copies but those of before, while the node may still need them. */
  private static long used(SimulatedNode node, Map<Integer, DiskImage.Copy> copies) {
    Set<Integer> here = new HashSet<>();
    node.protocol.status().shards().forEach(shard -> here.add(shard.shard()));
    boolean joins =
        node.topology != null
            && node.topology.shards().stream().anyMatch(of -> of.learners().contains(node.id));
    return copies.entrySet().stream()
        .filter(copy -> !joins || copy.getValue().isComplete() || here.contains(copy.getKey()))
        .count();
  }

  private void checkVersions(SimulatedNode node, int shard, DiskImage.Copy copy) {
    Set<CompositeKey> keys = new HashSet<>(copy.keys());
    keys.addAll(node.ledger.entries().keySet());
    for (CompositeKey key : keys) {
      if (world.shardOf(key) == shard) {
        Set<Place> stored = new HashSet<>();
        copy.versions(key).forEach(v -> stored.add(new Place(v.sequenceNumber(), v.tid())));
        Set<Place> here = new HashSet<>();
        VersionLedger.Entry entry = node.ledger.get(key);
        for (VersionChain v = entry == null ? null : entry.newest; v != null; v = v.older()) {
          here.add(new Place(v.sequenceNumber(), v.tid()));
        }
        if (!stored.equals(here)) {
          problem(node, key + ": " + stored + " for " + here);
        }
      }
    }
  }

  private void problem(SimulatedNode node, String what) {
    world.problems.add("the disk of " + node.id + " does not have what the node has, " + what);
  }
}
