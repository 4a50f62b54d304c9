package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.simulation.ObservedTransaction.Saw;
import io.canopygrid.gmu.simulation.VersionLedger.Entry;
import io.canopygrid.gmu.simulation.VersionLedger.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The order of each key's versions at the end of a run, with the transactions that wrote them. */
final class VersionOrder {
  private final SimulatedWorld world;
  private final List<String> problems;
  private final Map<TxId, ObservedTransaction> byTid = new HashMap<>();
  private final Map<CompositeKey, List<ObservedTransaction>> order = new TreeMap<>();
  private final Map<CompositeKey, Map<ObservedTransaction, Integer>> places = new HashMap<>();
  private final Set<ObservedTransaction> committed = new HashSet<>();
  private final Set<ObservedTransaction> dirty = new HashSet<>();

  /**
   * No order yet.
   *
   * @param problems is told of versions that should not be there
   */
  VersionOrder(SimulatedWorld world, List<ObservedTransaction> history, List<String> problems) {
    this.world = world;
    this.problems = problems;
    for (ObservedTransaction tx : history) {
      tx.attempts.forEach(tid -> byTid.put(tid, tx));
    }
  }

  /** Takes the order from the first owner of each shard. */
  void takeOrder() {
    Topology topology = world.topology();
    for (int s = 0; s < topology.shards().size(); s++) {
      if (!world.isLost(s)) {
        takeOrder(s, world.node(topology.shard(s).owners().get(0)));
      }
    }
  }

  private void takeOrder(int shard, SimulatedNode owner) {
    owner
        .ledger
        .entries()
        .forEach((key, entry) -> {
          if (world.shardOf(key) == shard && !entry.history.isEmpty()) {
            takeOrder(key, entry, owner.value(shard, key, entry));
          }
        });
  }

  private void takeOrder(CompositeKey key, Entry entry, byte @Nullable [] value) {
    List<ObservedTransaction> writers = new ArrayList<>();
    Map<ObservedTransaction, Integer> at = new HashMap<>();
    for (Place place : entry.history) {
      ObservedTransaction tx = byTid.get(place.tid());
      if (tx == null) {
        problems.add("a version of " + key + " by nobody: " + place.tid());
        continue;
      }
      if (!place.tid().equals(tx.attempts.get(tx.attempts.size() - 1))) {
        problems.add("a version of " + key + " by a prepare that was refused: " + place.tid());
      }
      at.put(tx, writers.size());
      writers.add(tx);
    }
    order.put(key, writers);
    places.put(key, at);
    if (!writers.isEmpty()) {
      ObservedTransaction last = writers.get(writers.size() - 1);
      if (!Arrays.equals(last.writes.get(key), value)) {
        problems.add("the final value of " + key + " is not its newest version");
      }
    }
  }

  /** Counts a transaction among those that committed, whatever its client was told. */
  void addCommitted(ObservedTransaction tx) {
    committed.add(tx);
  }

  /** Counts a transaction among those that read what was never committed. */
  void addDirty(ObservedTransaction tx) {
    dirty.add(tx);
  }

  Map<CompositeKey, List<ObservedTransaction>> order() {
    return order;
  }

  boolean isCommitted(ObservedTransaction tx) {
    return committed.contains(tx);
  }

  /** Whether a transaction read what was never committed; then its reads mean nothing. */
  boolean isDirty(ObservedTransaction tx) {
    return dirty.contains(tx);
  }

  /** The writer of the version that was seen; null: none was. */
  @Nullable ObservedTransaction writer(Saw saw) {
    return saw.writer() == null ? null : byTid.get(saw.writer());
  }

  /** The writer of the version after the one that was seen; null: it is the newest. */
  @Nullable ObservedTransaction following(Saw saw) {
    List<ObservedTransaction> writers = order.getOrDefault(saw.key(), List.of());
    int next = place(saw.key(), writer(saw)) + 1;
    return next < writers.size() ? writers.get(next) : null;
  }

  /** A version's place in the order of its key; -1 for none. */
  int place(CompositeKey key, @Nullable ObservedTransaction writer) {
    return writer == null ? -1 : places.getOrDefault(key, Map.of()).getOrDefault(writer, -1);
  }

  boolean hasVersion(CompositeKey key, ObservedTransaction writer) {
    return places.getOrDefault(key, Map.of()).containsKey(writer);
  }
}
