package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.simulation.TransactionLog.Kind;
import io.canopygrid.gmu.simulation.TransactionLog.Saw;
import io.canopygrid.gmu.simulation.TransactionLog.Status;
import io.canopygrid.gmu.simulation.VersionLedger.Entry;
import io.canopygrid.gmu.simulation.VersionLedger.Place;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a finished run kept what transactions.md promises: extended update
 * serializability, sessions, nothing lost, nothing half, copies that agree, and nothing left over.
 */
final class Checker {
  private final Simulation grid;
  private final List<String> problems;
  private final Map<TxId, TransactionLog> byTid = new HashMap<>();
  private final Map<CompositeKey, List<TransactionLog>> order = new TreeMap<>();
  private final Map<CompositeKey, Map<TransactionLog, Integer>> places = new HashMap<>();
  private final Set<TransactionLog> committed = new HashSet<>();
  private final Set<TransactionLog> dirty = new HashSet<>();

  Checker(Simulation grid) {
    this.grid = grid;
    this.problems = new ArrayList<>(grid.problems);
    for (TransactionLog tx : grid.history) {
      tx.attempts.forEach(tid -> byTid.put(tid, tx));
    }
  }

  List<String> check() {
    checkEnded();
    checkAtRest();
    if (checkCopies()) {
      checkOutcomes();
      checkWriters();
      new SerializationGraph(this).check();
      checkSessions();
    }
    return problems;
  }

  void problem(String what) {
    problems.add(what);
  }

  List<TransactionLog> history() {
    return grid.history;
  }

  Map<CompositeKey, List<TransactionLog>> order() {
    return order;
  }

  boolean isCommitted(TransactionLog tx) {
    return committed.contains(tx);
  }

  /** Whether a transaction read what was never committed; then its reads mean nothing. */
  boolean isDirty(TransactionLog tx) {
    return dirty.contains(tx);
  }

  /** Whose version was seen; null: none. */
  @Nullable TransactionLog writer(Saw saw) {
    return saw.writer() == null ? null : byTid.get(saw.writer());
  }

  /** The writer of the version after the one that was seen; null: it is the newest. */
  @Nullable TransactionLog following(Saw saw) {
    List<TransactionLog> writers = order.getOrDefault(saw.key(), List.of());
    int next = place(saw.key(), writer(saw)) + 1;
    return next < writers.size() ? writers.get(next) : null;
  }

  /** A version's place in the order of its key; -1 for none. */
  private int place(CompositeKey key, @Nullable TransactionLog writer) {
    return writer == null ? -1 : places.getOrDefault(key, Map.of()).getOrDefault(writer, -1);
  }

  private boolean hasVersion(CompositeKey key, TransactionLog writer) {
    return places.getOrDefault(key, Map.of()).containsKey(writer);
  }

  // ---- every transaction ended, nothing is left

  private void checkEnded() {
    for (TransactionLog tx : grid.history) {
      if (tx.ended < 0) {
        problem("liveness: " + tx + " (" + tx.kind + ") never ended");
      }
      if (tx.kind == Kind.READ_ONLY && tx.status == Status.ABORTED) {
        problem("read-only " + tx + " aborted");
      }
    }
  }

  private void checkAtRest() {
    Topology topology = grid.membership.current();
    for (NodeId member : topology.members()) {
      SimulatedNode node = grid.node(member);
      ProtocolStatus status = node.protocol.status();
      if (node.dead || status.topology() != topology.id()) {
        problem("liveness: node " + member + " is not in the last topology");
        continue;
      }
      boolean idle = status.shards().stream().allMatch(ProtocolStatus.Shard::isIdle);
      int left = status.transactions() + status.attempts() + status.decisions() + status.deferred();
      if (!idle || left > 0) {
        problem("liveness: left over at " + member + ": " + status);
      }
      if (status.shards().stream().anyMatch(s -> s.primary() && !s.serving())) {
        problem("liveness: node " + member + " does not serve: " + status);
      }
    }
  }

  // ---- owners agree; the order of versions

  private boolean checkCopies() {
    Topology topology = grid.membership.current();
    boolean complete = true;
    for (int s = 0; s < topology.shards().size(); s++) {
      List<NodeId> owners = topology.shard(s).owners();
      if (owners.isEmpty()) {
        problem("shard " + s + " has lost all its copies");
        complete = false;
        continue;
      }
      VersionLedger first = grid.node(owners.get(0)).ledger;
      for (NodeId owner : owners.subList(1, owners.size())) {
        compare(s, first, grid.node(owner).ledger);
      }
      takeOrder(s, first);
    }
    return complete;
  }

  private void compare(int shard, VersionLedger a, VersionLedger b) {
    Set<CompositeKey> keys = new HashSet<>(a.entries().keySet());
    keys.addAll(b.entries().keySet());
    for (CompositeKey key : keys) {
      if (grid.shardOf(key) != shard) {
        continue;
      }
      Entry x = a.entries().getOrDefault(key, new Entry());
      Entry y = b.entries().getOrDefault(key, new Entry());
      if (!x.history.equals(y.history)) {
        problem("owners of shard " + shard + " disagree on the versions of " + key);
      }
      if (!Arrays.equals(value(x), value(y))) {
        problem("owners of shard " + shard + " disagree on the value of " + key);
      }
    }
  }

  private static byte @Nullable [] value(Entry entry) {
    VersionChain newest = entry.newest;
    return newest == null ? null : newest.value();
  }

  private void takeOrder(int shard, VersionLedger ledger) {
    ledger
        .entries()
        .forEach((key, entry) -> {
          if (grid.shardOf(key) == shard && !entry.history.isEmpty()) {
            takeOrder(key, entry);
          }
        });
  }

  private void takeOrder(CompositeKey key, Entry entry) {
    List<TransactionLog> writers = new ArrayList<>();
    Map<TransactionLog, Integer> at = new HashMap<>();
    for (Place place : entry.history) {
      TransactionLog tx = byTid.get(place.tid());
      if (tx == null) {
        problem("a version of " + key + " by nobody: " + place.tid());
        continue;
      }
      if (!place.tid().equals(tx.attempts.get(tx.attempts.size() - 1))) {
        problem("a version of " + key + " by a prepare that was refused: " + place.tid());
      }
      at.put(tx, writers.size());
      writers.add(tx);
    }
    order.put(key, writers);
    places.put(key, at);
    if (!writers.isEmpty()) {
      TransactionLog last = writers.get(writers.size() - 1);
      if (!Arrays.equals(last.writes.get(key), value(entry))) {
        problem("the final value of " + key + " is not its newest version");
      }
    }
  }

  // ---- committed is there, aborted is nowhere, unknown is all or nothing

  private void checkOutcomes() {
    for (TransactionLog tx : grid.history) {
      long there = tx.writes.keySet().stream().filter(k -> hasVersion(k, tx)).count();
      if (tx.isCommitted()) {
        if (there < tx.writes.size()) {
          problem("lost: " + tx + " was told committed");
        }
        if (tx.kind != Kind.READ_ONLY) {
          committed.add(tx);
        }
      } else if (there > 0) {
        if (tx.status == Status.ABORTED) {
          problem(tx + " was told aborted, yet it has versions");
        }
        if (there < tx.writes.size()) {
          problem("not atomic: " + tx);
        }
        committed.add(tx);
      }
    }
  }

  private void checkWriters() {
    for (TransactionLog tx : grid.history) {
      for (Saw saw : tx.reads) {
        TransactionLog writer = writer(saw);
        if (saw.writer() != null && (writer == null || !hasVersion(saw.key(), writer))) {
          problem(
              "dirty read: "
                  + tx
                  + " read "
                  + saw.key()
                  + " of "
                  + saw.writer()
                  + ", which did not commit");
          dirty.add(tx);
        }
      }
    }
  }

  // ---- sessions see what they wrote and saw

  private void checkSessions() {
    Map<Integer, Map<CompositeKey, Integer>> seen = new HashMap<>();
    for (TransactionLog tx : grid.history) {
      if (dirty.contains(tx)) {
        continue;
      }
      Map<CompositeKey, Integer> mine =
          seen.computeIfAbsent(tx.session, session -> new HashMap<>());
      for (Saw saw : tx.reads) {
        if (place(saw.key(), writer(saw)) < mine.getOrDefault(saw.key(), -1)) {
          problem(
              "session "
                  + tx.session
                  + ": "
                  + tx
                  + " read an older "
                  + saw.key()
                  + " than the session had seen");
        }
      }
      if (tx.isCommitted()) {
        tx.reads.forEach(saw -> mine.merge(saw.key(), place(saw.key(), writer(saw)), Math::max));
        tx.writes.keySet().forEach(key -> mine.merge(key, place(key, tx), Math::max));
      }
    }
  }
}
