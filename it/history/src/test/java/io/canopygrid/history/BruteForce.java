package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides the same as {@link HistoryChecker}, straight from the definition and with no graph: runs
 * the updates one after the other in every order there is, and looks for one that explains all that
 * was read. For a handful of transactions.
 */
final class BruteForce {
  private final History history;
  private final List<Txn> txns;
  private final Model model;
  private final boolean ordered;
  private List<Txn> updates = List.of();

  /**
   * Serial runs in which every update read what it says, by the order of the versions they give.
   */
  private Map<Object, List<Run>> runs = new LinkedHashMap<>();

  private BruteForce(History history, Model model, boolean ordered) {
    this.history = history;
    this.model = model;
    this.ordered = ordered;
    this.txns = history.txns();
  }

  /** Whether the history keeps a model, with the order of sessions or without. */
  static boolean accepts(History history, Model model, boolean ordered) {
    return new BruteForce(history, model, ordered).accepts();
  }

  private boolean accepts() {
    List<Txn> unknown = txns.stream().filter(t -> t.status() == Status.INFO).toList();
    for (int chosen = 0; chosen < 1 << unknown.size(); chosen++) {
      List<Txn> candidates = new ArrayList<>();
      for (Txn txn : txns) {
        boolean happened =
            txn.status() == Status.OK
                || (txn.status() == Status.INFO && (chosen >> unknown.indexOf(txn) & 1) == 1);
        if (happened && txn.writes()) {
          candidates.add(txn);
        }
      }
      updates = candidates;
      runs = new LinkedHashMap<>();
      permute(new ArrayList<>(candidates), 0);
      if (runs.values().stream().anyMatch(this::explainsTheRest)) {
        return true;
      }
    }
    return false;
  }

  private void permute(List<Txn> order, int from) {
    if (from == order.size()) {
      Run run = new Run(List.copyOf(order));
      if (run.right() && (!ordered || keepsSessions(run))) {
        runs.computeIfAbsent(run.versions, versions -> new ArrayList<>()).add(run);
      }
      return;
    }
    for (int i = from; i < order.size(); i++) {
      Collections.swap(order, from, i);
      permute(order, from + 1);
      Collections.swap(order, from, i);
    }
  }

  /** Updates of a client are in its order, and after what it had seen before them. */
  private boolean keepsSessions(Run run) {
    for (Txn update : updates) {
      for (Txn before : txns) {
        if (before.process() != update.process()
            || before.index() >= update.index()
            || before.status() != Status.OK) {
          continue;
        }
        for (Txn cause : updates) {
          boolean first = cause.equals(before) || (!updates.contains(before) && saw(before, cause));
          if (first && run.order.indexOf(cause) > run.order.indexOf(update)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean saw(Txn reader, Txn writer) {
    for (Op read : reader.ops()) {
      for (Op write : writer.ops()) {
        if (!read.kind().isWrite()
            && write.kind().isWrite()
            && read.key().equals(write.key())
            && Arrays.stream(read.observed()).anyMatch(e -> e == write.element())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether each other transaction fits into one of the runs, together with whom it must. */
  private boolean explainsTheRest(List<Run> group) {
    for (Txn txn : txns) {
      if (!updates.contains(txn)
          && group.stream()
              .noneMatch(run -> fits(txn, run) && mates(txn).allMatch(mate -> fits(mate, run)))) {
        return false;
      }
    }
    return true;
  }

  /** The readers that must find their place in the same run as this one. */
  private Stream<Txn> mates(Txn reader) {
    if (reader.status() != Status.OK) {
      return Stream.empty();
    }
    return txns.stream()
        .filter(txn -> txn.status() == Status.OK && !updates.contains(txn))
        .filter(txn -> model == Model.SERIALIZABLE || txn.process() == reader.process());
  }

  private boolean fits(Txn target, Run run) {
    if (!ordered) {
      return place(target, run, 0) >= 0;
    }
    int at = 0;
    for (Txn txn : txns) {
      if (txn.process() != target.process() || txn.index() > target.index()) {
        continue;
      }
      if (updates.contains(txn)) {
        if (txn.status() == Status.OK) {
          at = Math.max(at, run.order.indexOf(txn) + 1);
        }
      } else if (txn.status() == Status.OK || txn.equals(target)) {
        int place = place(txn, run, at);
        if (place < 0) {
          return false;
        }
        at = place;
      }
    }
    return true;
  }

  /** The first place, from one on, where a transaction reads what it says. */
  private int place(Txn txn, Run run, int from) {
    for (int at = from; at <= run.order.size(); at++) {
      if (reads(txn, run.states.get(at)) && (!txn.fin() || missesNothing(txn, run, at))) {
        return at;
      }
    }
    return -1;
  }

  private boolean missesNothing(Txn fin, Run run, int at) {
    Set<String> keys = new HashSet<>();
    fin.ops().forEach(op -> keys.add(op.key()));
    for (Txn later : run.order.subList(at, run.order.size())) {
      boolean acknowledged = later.status() == Status.OK && later.endNanos() < fin.startNanos();
      if (acknowledged
          && later.ops().stream().anyMatch(op -> op.kind().isWrite() && keys.contains(op.key()))) {
        return false;
      }
    }
    return true;
  }

  private boolean reads(Txn txn, Map<String, List<Long>> before) {
    return execute(txn, copy(before));
  }

  /** Runs a transaction in a state; whether its reads say the same. */
  private boolean execute(Txn txn, Map<String, List<Long>> state) {
    for (Op op : txn.ops()) {
      List<Long> value = state.computeIfAbsent(op.key(), key -> new ArrayList<>());
      if (op.kind() == Op.Kind.WRITE) {
        value.clear();
      }
      if (op.kind().isWrite()) {
        value.add(op.element());
      } else if (op.executed()) {
        List<Long> seen = new ArrayList<>();
        for (long element : op.observed()) {
          seen.add(element);
        }
        boolean same =
            op.kind() == Op.Kind.SCAN
                ? seen.size() == value.size() && new HashSet<>(seen).equals(new HashSet<>(value))
                : seen.equals(value);
        if (!same) {
          return false;
        }
      }
    }
    return true;
  }

  private static Map<String, List<Long>> copy(Map<String, List<Long>> state) {
    Map<String, List<Long>> copy = new HashMap<>();
    state.forEach((key, value) -> copy.put(key, new ArrayList<>(value)));
    return copy;
  }

  /** One serial run of the updates. */
  private final class Run {
    final List<Txn> order;
    final List<Map<String, List<Long>>> states = new ArrayList<>();

    /** Per key, what it held one after the other; rows of a range have no order. */
    final Map<String, List<Object>> versions = new TreeMap<>();

    private final boolean right;

    Run(List<Txn> order) {
      this.order = order;
      Map<String, List<Long>> state = new HashMap<>();
      states.add(copy(state));
      boolean all = true;
      for (Txn txn : order) {
        all &= execute(txn, state);
        states.add(copy(state));
        if (history.header().workload() != Workload.INDEX_SCAN) {
          state.forEach((key, value) -> {
            if (!value.isEmpty()) {
              versions.computeIfAbsent(key, k -> new ArrayList<>()).add(List.copyOf(value));
            }
          });
        }
      }
      versions.replaceAll((key, held) -> new ArrayList<>(new LinkedHashSet<>(held)));
      right = all;
    }

    boolean right() {
      return right;
    }
  }
}
