package io.canopygrid.history;

import io.canopygrid.history.Verdict.Finding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Collects violations; counts all, keeps the words of the first ones of each kind. */
final class Findings {
  private static final int WORDS_PER_ANOMALY_MAX = 10;

  private final Map<Anomaly, Integer> counts = new EnumMap<>(Anomaly.class);
  private final List<Finding> findings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Adds one; the words are asked for only if they are kept. */
  void add(Anomaly anomaly, Supplier<String> words) {
    if (counts.merge(anomaly, 1, Integer::sum) <= WORDS_PER_ANOMALY_MAX) {
      findings.add(new Finding(anomaly, words.get()));
    }
  }

  void note(String note) {
    notes.add(note);
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }

  void addAll(Findings others) {
    others.counts.forEach((anomaly, count) -> counts.merge(anomaly, count, Integer::sum));
    findings.addAll(others.findings);
    notes.addAll(others.notes);
  }

  Verdict verdict(boolean exact, int committed, int updates, int edges) {
    return new Verdict(counts, findings, notes, exact, committed, updates, edges);
  }
}
