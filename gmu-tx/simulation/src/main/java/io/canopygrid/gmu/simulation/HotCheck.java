package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.protocol.HotEntries;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.protocol.hot.HotLimits;
import io.canopygrid.gmu.protocol.hot.HotView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the hot copies of a keeper with what the primary has (protocol.md, Hot entries, the
 * invariants).
 */
final class HotCheck {
  private HotCheck() {}

  /** A keeper has got a push of a shard. */
  static void check(SimulatedWorld world, SimulatedNode keeper, int shard) {
    HotView view = keeper.protocol.hot().view(shard);
    SimulatedNode primary = view == null ? null : primary(world, shard);
    if (view == null || primary == null) {
      return;
    }
    world.counters.add("hot copies compared", view.copies().size());
    for (CompositeKey key : view.copies().keySet()) {
      VersionChain there = primary.protocol.view(shard).get(key.bytes());
      VersionChain here = view.chain(key);
      if (there != null && here != null) {
        compare(world, key + " at " + keeper.id, here, there, view.upTo());
      }
    }
  }

  private static void compare(
      SimulatedWorld world, String what, VersionChain here, VersionChain there, long upTo) {
    if (here.sequenceNumber() > upTo) {
      world.problems.add("a hot copy above what was told: " + what);
    }
    long from = Math.max(here.oldest().sequenceNumber(), there.oldest().sequenceNumber());
    Set<Long> kept = numbers(here, from, upTo);
    Set<Long> applied = numbers(there, from, upTo);
    if (!kept.equals(applied)) {
      world.problems.add("a hot copy of " + what + " has " + kept + " instead of " + applied);
    }
  }

  private static Set<Long> numbers(VersionChain chain, long from, long upTo) {
    Set<Long> numbers = new TreeSet<>();
    for (VersionChain v = chain; v != null; v = v.older()) {
      if (v.sequenceNumber() >= from && v.sequenceNumber() <= upTo) {
        numbers.add(v.sequenceNumber());
      }
    }
    return numbers;
  }

  /** The node that serves a shard in the newest topology; null: none does yet. */
  private static @Nullable SimulatedNode primary(SimulatedWorld world, int shard) {
    if (world.isLost(shard)) {
      return null;
    }
    SimulatedNode node = world.node(world.topology().shard(shard).owners().get(0));
    boolean serves =
        !node.dead
            && world.knowsNewest(node)
            && node.protocol.status().shards().stream().anyMatch(s -> isServed(s, shard));
    return serves ? node : null;
  }

  private static boolean isServed(ProtocolStatus.Shard status, int shard) {
    return status.shard() == shard && status.serving();
  }

  /** Counts what was hot at the end, and what hot copies have answered. */
  static void count(SimulatedWorld world) {
    for (SimulatedNode node : List.copyOf(world.nodes.values())) {
      HotEntries.Status status = node.protocol.hot().status();
      world.counters.add("hot reads", status.answered());
      world.counters.add("hot pushes", status.pushes());
      if (status.hot().size() > HotLimits.KEYS_MAX) {
        world.problems.add("too many hot keys at " + node.id);
      }
    }
  }
}
