package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.simulation.ObservedTransaction.Kind;
import io.canopygrid.gmu.simulation.ObservedTransaction.Saw;
import io.canopygrid.gmu.simulation.ObservedTransaction.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a finished run kept what protocol.md promises: extended update serializability,
 * sessions, nothing lost, nothing half, copies that agree, and nothing left over.
 */
final class Checker {
  private final SimulatedWorld world;
  private final Membership membership;
  private final List<ObservedTransaction> history;
  private final List<String> problems;
  private final VersionOrder versions;

  Checker(SimulatedWorld world, Membership membership, List<ObservedTransaction> history) {
    this.world = world;
    this.membership = membership;
    this.history = history;
    this.problems = new ArrayList<>(world.problems);
    this.versions = new VersionOrder(world, history, problems);
  }

  List<String> check() {
    checkEnded();
    if (new RestCheck(world, membership, problems).check()) {
      forgetLost();
      versions.takeOrder();
      new CutCheck(world, history, versions, problems).check();
      checkOutcomes();
      checkWriters();
      new SerializationGraph(history, versions, problems).check();
      checkSessions();
      checkNamed();
      checkRealTime();
    }
    return problems;
  }

  private void problem(String what) {
    problems.add(what);
  }

  /** After the check: the order of the versions. */
  VersionOrder versions() {
    return versions;
  }

  /** Of a shard that is lost nothing is promised; of the others all is as it was. */
  private void forgetLost() {
    for (ObservedTransaction tx : history) {
      tx.reads.removeIf(saw -> world.isLost(world.shardOf(saw.key())));
      tx.writes.keySet().removeIf(key -> world.isLost(world.shardOf(key)));
    }
  }

  // ---- every transaction ended

  private void checkEnded() {
    for (ObservedTransaction tx : history) {
      if (tx.ended < 0) {
        problem("liveness: " + tx + " (" + tx.kind + ") never ended");
      }
      if (tx.kind == Kind.READ_ONLY && tx.status == Status.ABORTED && !tx.tooOld) {
        problem("read-only " + tx + " aborted");
      }
    }
  }

  // ---- committed is there, aborted is nowhere, unknown is all or nothing

  private void checkOutcomes() {
    for (ObservedTransaction tx : history) {
      long there = tx.writes.keySet().stream().filter(k -> versions.hasVersion(k, tx)).count();
      if (tx.isCommitted()) {
        if (there < tx.writes.size()) {
          problem("lost: " + tx + " was told committed");
        }
        if (tx.kind == Kind.UPDATE || tx.kind == Kind.SERIALIZABLE) {
          versions.addCommitted(tx);
        }
      } else if (there > 0) {
        if (tx.status == Status.ABORTED) {
          problem(tx + " was told aborted, yet it has versions");
        }
        if (there < tx.writes.size()) {
          problem("not atomic: " + tx);
        }
        versions.addCommitted(tx);
      }
    }
  }

  private void checkWriters() {
    for (ObservedTransaction tx : history) {
      for (Saw saw : tx.reads) {
        ObservedTransaction writer = versions.writer(saw);
        if (saw.writer() != null && (writer == null || !versions.hasVersion(saw.key(), writer))) {
          problem(
              "dirty read: "
                  + tx
                  + " read "
                  + saw.key()
                  + " of "
                  + saw.writer()
                  + ", which did not commit");
          versions.addDirty(tx);
        } else if (writer != null && tx.shown.containsKey(saw.key())) {
          checkShown(tx, saw.key(), writer);
        }
      }
    }
  }

  private void checkShown(ObservedTransaction tx, CompositeKey key, ObservedTransaction writer) {
    if (!Arrays.equals(tx.shown.get(key), writer.writes.get(key))) {
      problem("wrong value: " + tx + " read " + key + ", and not what " + writer + " has written");
    }
  }

  // ---- sessions see what they wrote and saw

  private void checkSessions() {
    Map<Integer, Map<CompositeKey, Integer>> seen = new HashMap<>();
    Map<Integer, Long> told = new HashMap<>();
    for (ObservedTransaction tx : history) {
      if (versions.isDirty(tx) || tx.kind == Kind.NAMED) {
        continue;
      }
      Map<CompositeKey, Integer> mine =
          seen.computeIfAbsent(tx.session, session -> new HashMap<>());
      Long last = world.cuts.lastTold(tx.session, tx.started);
      if (!last.equals(told.put(tx.session, last))) {
        mine.clear(); // it was told that commits are lost, and went on without its clock
      }
      for (Saw saw : tx.reads) {
        if (versions.place(saw.key(), versions.writer(saw)) < mine.getOrDefault(saw.key(), -1)) {
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
        tx.reads.forEach(saw ->
            mine.merge(saw.key(), versions.place(saw.key(), versions.writer(saw)), Math::max));
        tx.writes.keySet().forEach(key -> mine.merge(key, versions.place(key, tx), Math::max));
      }
    }
  }

  // ---- named snapshots have what was committed before, and so has a transaction's first read

  private void checkNamed() {
    for (ObservedTransaction named : history) {
      if (named.kind == Kind.NAMED && !versions.isDirty(named)) {
        checkHas(named, named.reads, "named snapshot");
      }
    }
  }

  private void checkRealTime() {
    for (ObservedTransaction tx : history) {
      if (tx.kind != Kind.NAMED && !versions.isDirty(tx)) {
        checkHas(tx, tx.first, "the first read of");
      }
    }
  }

  /**
   * Checks that a reader has seen each transaction that was told as committed before the reader
   * began.
   */
  private void checkHas(ObservedTransaction reader, List<Saw> reads, String what) {
    for (Saw saw : reads) {
      for (ObservedTransaction writer : versions.order().getOrDefault(saw.key(), List.of())) {
        if (writer.isCommitted()
            && !writer.toldFromOutside
            && writer.ended < reader.started
            && versions.place(saw.key(), writer)
                > versions.place(saw.key(), versions.writer(saw))) {
          problem(what + " " + reader + " lacks " + saw.key() + " of " + writer);
        }
      }
    }
  }
}
