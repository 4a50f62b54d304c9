package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.simulation.ObservedTransaction.Saw;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order that transactions must have: of the committed updates by their versions and reads, and
 * of every other transaction alone against them. Extended update serializability: no circle in
 * either.
 */
final class SerializationGraph {
  private final List<ObservedTransaction> history;
  private final VersionOrder versions;
  private final List<String> problems;
  private final Map<ObservedTransaction, Map<ObservedTransaction, String>> edges = new HashMap<>();

  SerializationGraph(
      List<ObservedTransaction> history, VersionOrder versions, List<String> problems) {
    this.history = history;
    this.versions = versions;
    this.problems = problems;
  }

  void check() {
    for (Map.Entry<CompositeKey, List<ObservedTransaction>> e : versions.order().entrySet()) {
      List<ObservedTransaction> writers = e.getValue();
      for (int i = 1; i < writers.size(); i++) {
        edge(writers.get(i - 1), writers.get(i), "overwritten", e.getKey());
      }
    }
    for (ObservedTransaction tx : history) {
      if (versions.isCommitted(tx) && !versions.isDirty(tx)) {
        addReads(tx);
      }
    }
    checkUpdates();
    for (ObservedTransaction tx : history) {
      if (!versions.isCommitted(tx) && !versions.isDirty(tx)) {
        checkSnapshot(tx);
      }
    }
  }

  private void addReads(ObservedTransaction tx) {
    for (Saw saw : tx.reads) {
      ObservedTransaction writer = versions.writer(saw);
      ObservedTransaction next = versions.following(saw);
      if (writer != null) {
        edge(writer, tx, "read", saw.key());
      }
      if (next != null) {
        edge(tx, next, "missed", saw.key());
      }
    }
  }

  private void edge(
      ObservedTransaction from, ObservedTransaction to, String why, CompositeKey key) {
    if (from != to) {
      edges.computeIfAbsent(from, f -> new LinkedHashMap<>()).putIfAbsent(to, why + " " + key);
    }
  }

  private void checkUpdates() {
    for (ObservedTransaction tx : history) {
      if (versions.isCommitted(tx)) {
        String trail = path(edges.getOrDefault(tx, Map.of()).keySet(), Set.of(tx));
        if (trail != null) {
          problems.add("updates are not serializable: " + tx + " -> " + trail);
          return;
        }
      }
    }
  }

  /** A transaction saw no consistent snapshot if something that it missed leads to what it saw. */
  private void checkSnapshot(ObservedTransaction tx) {
    Set<ObservedTransaction> missed = new LinkedHashSet<>();
    Set<ObservedTransaction> seen = new LinkedHashSet<>();
    for (Saw saw : tx.reads) {
      ObservedTransaction next = versions.following(saw);
      ObservedTransaction writer = versions.writer(saw);
      if (next != null) {
        missed.add(next);
      }
      if (writer != null) {
        seen.add(writer);
      }
    }
    String trail = path(missed, seen);
    if (trail != null) {
      problems.add(
          tx.kind
              + " "
              + tx.status
              + " "
              + tx
              + " saw no consistent snapshot: it missed "
              + trail
              + ", which it saw; reads "
              + tx.reads);
    }
  }

  private @Nullable String path(
      Collection<ObservedTransaction> starts, Set<ObservedTransaction> goals) {
    if (goals.isEmpty()) {
      return null;
    }
    Map<ObservedTransaction, ObservedTransaction> cameFrom = new HashMap<>();
    Set<ObservedTransaction> reached = new LinkedHashSet<>(starts);
    ArrayDeque<ObservedTransaction> todo = new ArrayDeque<>(starts);
    while (!todo.isEmpty()) {
      ObservedTransaction at = todo.pop();
      if (goals.contains(at)) {
        return trail(at, cameFrom);
      }
      for (ObservedTransaction next : edges.getOrDefault(at, Map.of()).keySet()) {
        if (reached.add(next)) {
          cameFrom.put(next, at);
          todo.push(next);
        }
      }
    }
    return null;
  }

  private String trail(
      ObservedTransaction end, Map<ObservedTransaction, ObservedTransaction> cameFrom) {
    List<String> steps = new ArrayList<>();
    ObservedTransaction at = end;
    for (ObservedTransaction from = cameFrom.get(at); from != null; from = cameFrom.get(at)) {
      steps.add("-" + edges.getOrDefault(from, Map.of()).get(at) + "-> " + at);
      at = from;
    }
    steps.add(at.toString());
    Collections.reverse(steps);
    return String.join(" ", steps);
  }
}
