package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.simulation.TransactionLog.Kind;
import io.canopygrid.gmu.simulation.TransactionLog.Saw;
import io.canopygrid.gmu.simulation.TransactionLog.Status;
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

/**
 * Decides whether a finished run kept what protocol.md promises: extended update serializability,
 * sessions, nothing lost, nothing half, copies that agree, and nothing left over.
 */
final class Checker {
  private final Simulation grid;
  private final List<TransactionLog> history;
  private final List<String> problems;
  private final Map<TxId, TransactionLog> byTid = new HashMap<>();
  private final Map<CompositeKey, List<TransactionLog>> order = new TreeMap<>();
  private final Map<CompositeKey, Map<TransactionLog, Integer>> places = new HashMap<>();
  private final Set<TransactionLog> committed = new HashSet<>();
  private final Set<TransactionLog> dirty = new HashSet<>();

  Checker(Simulation grid, List<TransactionLog> history) {
    this.grid = grid;
    this.history = history;
    this.problems = new ArrayList<>(grid.problems);
    for (TransactionLog tx : history) {
      tx.attempts.forEach(tid -> byTid.put(tid, tx));
    }
  }

  List<String> check() {
    checkEnded();
    if (new RestCheck(grid, problems).check()) {
      forgetLost();
      takeOrder();
      checkOutcomes();
      checkWriters();
      new SerializationGraph(this).check();
      checkSessions();
      checkNamed();
      checkRealTime();
    }
    return problems;
  }

  void problem(String what) {
    problems.add(what);
  }

  List<TransactionLog> history() {
    return history;
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

  /** Of a shard that is lost nothing is promised; of the others all is as it was. */
  private void forgetLost() {
    for (TransactionLog tx : history) {
      tx.reads.removeIf(saw -> grid.membership.isLost(grid.shardOf(saw.key())));
      tx.writes.keySet().removeIf(key -> grid.membership.isLost(grid.shardOf(key)));
    }
  }

  // ---- every transaction ended

  private void checkEnded() {
    for (TransactionLog tx : history) {
      if (tx.ended < 0) {
        problem("liveness: " + tx + " (" + tx.kind + ") never ended");
      }
      if (tx.kind == Kind.READ_ONLY && tx.status == Status.ABORTED) {
        problem("read-only " + tx + " aborted");
      }
    }
  }

  private void takeOrder() {
    Topology topology = grid.membership.current();
    for (int s = 0; s < topology.shards().size(); s++) {
      if (!grid.membership.isLost(s)) {
        takeOrder(s, grid.node(topology.shard(s).owners().get(0)).ledger);
      }
    }
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
      if (!Arrays.equals(last.writes.get(key), RestCheck.value(entry))) {
        problem("the final value of " + key + " is not its newest version");
      }
    }
  }

  // ---- committed is there, aborted is nowhere, unknown is all or nothing

  private void checkOutcomes() {
    for (TransactionLog tx : history) {
      long there = tx.writes.keySet().stream().filter(k -> hasVersion(k, tx)).count();
      if (tx.isCommitted()) {
        if (there < tx.writes.size()) {
          problem("lost: " + tx + " was told committed");
        }
        if (tx.kind == Kind.UPDATE || tx.kind == Kind.SERIALIZABLE) {
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
    for (TransactionLog tx : history) {
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
    for (TransactionLog tx : history) {
      if (dirty.contains(tx) || tx.kind == Kind.NAMED) {
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

  // ---- named snapshots have what was committed before, and so has a transaction's first read

  private void checkNamed() {
    for (TransactionLog named : history) {
      if (named.kind == Kind.NAMED && !dirty.contains(named)) {
        checkHas(named, named.reads, "named snapshot");
      }
    }
  }

  private void checkRealTime() {
    for (TransactionLog tx : history) {
      if (tx.kind != Kind.NAMED && !dirty.contains(tx)) {
        checkHas(tx, tx.first, "the first read of");
      }
    }
  }

  /** What was told as committed before this began must have been seen. */
  private void checkHas(TransactionLog reader, List<Saw> reads, String what) {
    for (Saw saw : reads) {
      for (TransactionLog writer : order.getOrDefault(saw.key(), List.of())) {
        if (writer.isCommitted()
            && !writer.toldFromOutside
            && writer.ended < reader.started
            && place(saw.key(), writer) > place(saw.key(), writer(saw))) {
          problem(what + " " + reader + " lacks " + saw.key() + " of " + writer);
        }
      }
    }
  }
}
