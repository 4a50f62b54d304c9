package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.copy.CopyRecovery;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what nodes ask of their disks: when they begin, and while they run. */
final class DiskReads {
  private final SimulatedWorld world;
  private final Steps steps;

  /** Does what a node's step asks for. */
  interface Steps {
    void carryOut(SimulatedNode node, List<Effect> effects);
  }

  DiskReads(SimulatedWorld world, Steps steps) {
    this.world = world;
    this.steps = steps;
  }

  /** The content of a disk. */
  Recovered recovered(SimulatedDisk disk) {
    return world.options.has(SimulatedFault.EVICT)
        ? disk.recovered(world.diskRandom.below(100))
        : disk.recovered();
  }

  /** The content of which some copies are read later. */
  Recovered closed(SimulatedDisk disk) {
    if (!world.options.has(SimulatedFault.OPEN_LATE)) {
      return recovered(disk);
    }
    int top = world.options.shards();
    double share = world.diskRandom.oneOf(0.5, 1, 1);
    return disk.recovered(shard -> shard == top || !world.diskRandom.chance(share));
  }

  /** Values that are on a node's disk only. */
  void load(SimulatedNode node, Effect.Load asked) {
    world.counters.add("cold values", asked.versions().size());
    world.after(world.diskRandom.oneOf(0, 1, 5, 120), () -> read(node, asked));
  }

  /** The disk is read at one time, and tells what it has read at another. */
  private void read(SimulatedNode node, Effect.Load asked) {
    Map<VersionId, byte[]> values = new HashMap<>();
    for (VersionId id : asked.versions()) {
      byte[] value = node.onDisk().read(id);
      if (value != null) {
        values.put(id, value);
      }
    }
    world.after(world.diskRandom.oneOf(0, 1, 40), () -> loaded(node, asked, values));
  }

  private void loaded(SimulatedNode node, Effect.Load asked, Map<VersionId, byte[]> values) {
    if (node.isPaused(world.now())) {
      world.after(node.pausedUntil - world.now(), () -> loaded(node, asked, values));
      return;
    }
    if (!node.dead) {
      List<Effect> effects = new ArrayList<>();
      node.protocol.onLoaded(asked, values, world.now(), effects);
      steps.carryOut(node, effects);
    }
  }

  /** A copy that was left closed. */
  void open(SimulatedNode node, Effect.Open asked) {
    world.counters.add("copies opened", 1);
    world.after(world.diskRandom.oneOf(0, 5, 60, 300), () -> read(node, asked));
  }

  /** A copy is read at one time, and told bit by bit. */
  private void read(SimulatedNode node, Effect.Open asked) {
    Recovered.Copy copy = node.onDisk().open(asked.shard(), asked.valueBytesMax());
    tell(node, asked, CopyRecovery.chainsOf(copy));
  }

  private void tell(SimulatedNode node, Effect.Open asked, List<KeyVersions> left) {
    long delay = node.isPaused(world.now()) ? node.pausedUntil - world.now() : 0;
    world.after(
        delay + world.diskRandom.oneOf(0, 1, 20),
        () -> {
          if (node.isPaused(world.now())) {
            tell(node, asked, left);
          } else if (!node.dead) {
            int some = Math.min(left.size(), world.diskRandom.between(1, 3));
            List<Effect> effects = new ArrayList<>();
            boolean last = some == left.size();
            node.protocol.onOpened(asked, left.subList(0, some), last, world.now(), effects);
            steps.carryOut(node, effects);
            if (!last) {
              tell(node, asked, left.subList(some, left.size()));
            }
          }
        });
  }
}
