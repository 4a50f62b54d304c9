package io.canopygrid.btree.simulation;

import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.simulation.ForwardingTransaction;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a run, whatever they are about: what each was told to have read, by whom each key
 * was written, and with which clocks. As for {@link HistoryCheck}, the order of commit clocks by
 * components has to be a serial order: a plain map that takes the writes in that order shows each
 * committed update what it has read. Structure changes are updates like others. One run's own.
 */
public final class CommitHistory extends WatchedTrees {
  private final List<Told> told = new ArrayList<>();
  private final Map<TxId, Written> written = new HashMap<>();

  /** Nothing has happened yet. */
  public CommitHistory() {
    super(BPlusTree.factory());
  }

  /** An update whose caller was told that it is committed. */
  private record Told(VectorClock clock, Footprint footprint, String label) {}

  /** The versions of a transaction, by key their writers; null: a tombstone. */
  private record Written(VectorClock clock, Map<CompositeKey, @Nullable TxId> writers) {}

  @Override
  void onPut(CompositeKey key, VersionChain chain) {
    for (VersionChain v = chain; v != null; v = v.older()) {
      if (v.clock().size() > 0) { // One below the horizon was seen before.
        VectorClock clock = v.clock();
        written
            .computeIfAbsent(v.tid(), tid -> new Written(clock, new HashMap<>()))
            .writers
            .put(key, writerOf(v.seen()));
      }
    }
  }

  private static @Nullable TxId writerOf(Seen seen) {
    return seen.tombstone() ? null : seen.writer();
  }

  /** The same node, whose commits are noted. */
  GmuNode watched(GmuNode node) {
    return new Watched(node);
  }

  private final class Watched extends ForwardingNode {
    private final GmuNode node;

    Watched(GmuNode node) {
      this.node = node;
    }

    @Override
    protected GmuNode node() {
      return node;
    }

    @Override
    public GmuTransaction begin(VectorClock token, long deadlineNanos) {
      return new ForwardingTransaction(super.begin(token, deadlineNanos)) {
        @Override
        public Outcome commit(Footprint footprint, String label) {
          Outcome outcome = super.commit(footprint, label);
          if (outcome instanceof Outcome.Committed committed && !footprint.writes().isEmpty()) {
            told.add(new Told(committed.clock(), footprint, label));
          }
          return outcome;
        }
      };
    }
  }

  /**
   * Checks all of it, on a grid at rest.
   *
   * @param lasting the transactions that have versions at the end
   * @return things that are wrong, in words
   */
  List<String> check(Set<TxId> lasting) {
    List<String> problems = new ArrayList<>();
    List<Written> writes = new ArrayList<>();
    Set<VectorClock> clocks = new HashSet<>();
    written.forEach((tid, each) -> {
      if (lasting.contains(tid)) {
        writes.add(each);
        clocks.add(each.clock);
      }
    });
    writes.sort((a, b) -> HistoryCheck.compare(a.clock, b.clock));
    told.sort((a, b) -> HistoryCheck.compare(a.clock, b.clock));
    NavigableMap<CompositeKey, TxId> twin = new TreeMap<>();
    int next = 0;
    for (Told update : told) {
      if (!clocks.contains(update.clock)) {
        problems.add("lost: '" + update.label + "' was told committed at " + update.clock);
      }
      while (next < writes.size()
          && HistoryCheck.compare(writes.get(next).clock, update.clock) < 0) {
        apply(writes.get(next++), twin);
      }
      checkReads(update, twin, problems);
    }
    return problems;
  }

  /** The number of updates that were checked. */
  public int updates() {
    return told.size();
  }

  private static void apply(Written update, Map<CompositeKey, TxId> twin) {
    update.writers.forEach((key, writer) -> {
      if (writer == null) {
        twin.remove(key);
      } else {
        twin.put(key, writer);
      }
    });
  }

  private static void checkReads(
      Told update, NavigableMap<CompositeKey, TxId> twin, List<String> problems) {
    Stream<KeyRead> ofRanges =
        update.footprint.ranges().stream().flatMap(range -> range.found().stream());
    Stream.concat(update.footprint.reads().stream(), ofRanges)
        .filter(read -> !Objects.equals(writerOf(read.seen()), twin.get(read.key())))
        .forEach(read ->
            problems.add(
                String.format(
                    Locale.ROOT,
                    "not serializable: '%s' read %s of %s, where the order of commits has %s",
                    update.label,
                    read.key(),
                    read.seen(),
                    twin.get(read.key()))));
    for (RangeRead range : update.footprint.ranges()) {
      Set<CompositeKey> found = new HashSet<>();
      range.found().forEach(read -> found.add(read.key()));
      twin
          .subMap(CompositeKey.of(range.kcl(), range.from()), true, end(range), false)
          .keySet()
          .stream()
          .filter(key -> !found.contains(key))
          .forEach(key -> problems.add("'" + update.label + "' has not seen " + key));
    }
  }

  private static CompositeKey end(RangeRead range) {
    byte[] to = range.to();
    return to == null
        ? CompositeKey.of(range.kcl() + 1, new byte[0])
        : CompositeKey.of(range.kcl(), to);
  }
}
