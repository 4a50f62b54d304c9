package io.canopygrid.gmu.protocol.garbage;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StepChanges;
import io.canopygrid.gmu.storage.StorageChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The decisions a node knows and keeps until they are done (protocol.md, Words and Decide, step 3),
 * and each coordinator's mark, below which all of its transactions are.
 */
public final class Decisions {
  private final Map<NodeId, TreeMap<Long, Decision>> known = new HashMap<>();
  private final Map<NodeId, Long> marks = new HashMap<>();
  private final Completeness completeness = new Completeness();
  private final StepChanges changes;

  /** Of coordinators that left: how many copies of this node have still to apply each. */
  private final Map<TxId, Integer> unapplied = new HashMap<>();

  /** The decisions that are stored, or will be: by coordinator and counter their positions. */
  private final Map<NodeId, NavigableMap<Long, Long>> stored = new HashMap<>();

  /**
   * @param changes is told what changes here of what is stored
   */
  public Decisions(StepChanges changes) {
    this.changes = changes;
  }

  /** Begins with what the disk has. */
  public void restore(Recovered recovered) {
    restoreMarks(recovered);
    for (Decision decision : recovered.decisions()) {
      stored(decision.tid().coordinator()).put(decision.tid().counter(), 0L);
      remember(decision, 0);
    }
  }

  /** Whether every owner and learner of every participant has the transaction's decision. */
  public boolean isDone(TxId tid) {
    Long mark = marks.get(tid.coordinator());
    return mark != null && tid.counter() < mark;
  }

  /**
   * Whether a prepare comes too late: below its coordinator's mark it is refused (Decide, step 3).
   */
  public boolean isTooLate(TxId tid) {
    return isDone(tid);
  }

  public @Nullable Decision get(TxId tid) {
    TreeMap<Long, Decision> of = known.get(tid.coordinator());
    return of == null ? null : of.get(tid.counter());
  }

  /** Keeps what was done so: else what another disk still has of it would be resolved again. */
  void restoreMarks(Recovered recovered) {
    marks.putAll(recovered.marks());
  }

  /**
   * Stores a decision to commit. That of an abort is not stored: what has no decision aborts when
   * its coordinator is gone.
   *
   * @param step the position of what this step changes
   */
  public void store(Decision decision, long step) {
    TxId tid = decision.tid();
    if (changes.isKept()
        && decision.clock() != null
        && stored(tid.coordinator()).putIfAbsent(tid.counter(), step) == null) {
      changes.add(new StorageChange.PutDecision(decision));
    }
  }

  private NavigableMap<Long, Long> stored(NodeId coordinator) {
    return stored.computeIfAbsent(coordinator, c -> new TreeMap<>());
  }

  /** The position at which a decision is stored; the last one of all where it is not. */
  public long storedAt(TxId tid) {
    NavigableMap<Long, Long> of = stored.get(tid.coordinator());
    Long position = of == null ? null : of.get(tid.counter());
    return position == null ? Long.MAX_VALUE : position;
  }

  /**
   * Keeps a decision; the first one heard of stays.
   *
   * @param step as in {@link #store}
   */
  public void remember(Decision decision, long step) {
    store(decision, step);
    TxId tid = decision.tid();
    Decision before =
        known
            .computeIfAbsent(tid.coordinator(), c -> new TreeMap<>())
            .putIfAbsent(tid.counter(), decision);
    if (before == null) {
      completeness.learnt(decision);
    }
  }

  /**
   * Every owner and learner of the present topology has applied it, though its mark is not there
   * yet: so it is complete (Reads at backups).
   */
  public void onReplicated(Decision decision) {
    completeness.replicated(decision);
  }

  /**
   * The highest number up to which no commit is known that an owner of the shard may lack: a
   * watermark is below every commit that is not known to be done (Reads at backups).
   *
   * @param applied the highest one that its primary has applied
   */
  public long completeUpTo(int shard, long applied) {
    return completeness.upTo(shard, applied);
  }

  /** A coordinator's transactions below the mark are done: their decisions are forgotten. */
  public void onLowWaterMark(NodeId coordinator, long below) {
    long before = marks.getOrDefault(coordinator, 0L);
    long mark = Math.max(before, below);
    marks.put(coordinator, mark);
    if (mark > before && changes.isKept()) {
      changes.add(new StorageChange.PutMark(coordinator, mark));
      stored(coordinator).headMap(mark).clear();
    }
    TreeMap<Long, Decision> of = known.get(coordinator);
    if (of != null && of.firstKey() < mark) {
      Map<Long, Decision> done = of.headMap(mark);
      done.values().forEach(completeness::replicated);
      done.clear();
      if (of.isEmpty()) {
        known.remove(coordinator);
      }
    }
  }

  /** Forgets a decision that nobody else has heard of, and that is not stored. */
  public void forget(TxId tid) {
    TreeMap<Long, Decision> of = Invariant.present(known.get(tid.coordinator()), "never known");
    completeness.replicated(Invariant.present(of.remove(tid.counter()), "never known"));
    if (of.isEmpty()) {
      known.remove(tid.coordinator());
    }
  }

  /**
   * Forgets all decisions of some coordinators. A decision that copies of this node have still to
   * apply is kept until they have ({@link #onApplied}): its commit is not on this node's disk yet,
   * and the others forget it, too.
   *
   * @param copies how many copies of this node have a commit in their queues
   */
  public void forgetAll(Predicate<NodeId> coordinators, ToIntFunction<TxId> copies) {
    for (Decision decision : all()) {
      TxId tid = decision.tid();
      if (coordinators.test(tid.coordinator())) {
        int waiting = copies.applyAsInt(tid);
        if (waiting == 0) {
          drop(decision);
        } else {
          unapplied.put(tid, waiting);
        }
      }
    }
  }

  /** A copy of this node has applied a commit that stood in its queue. */
  public void onApplied(TxId tid) {
    Integer waiting = unapplied.remove(tid);
    if (waiting != null && waiting > 1) {
      unapplied.put(tid, waiting - 1);
    } else if (waiting != null) {
      drop(Invariant.present(get(tid), "kept, and not known"));
    }
  }

  private void drop(Decision decision) {
    TxId tid = decision.tid();
    forget(tid);
    if (stored(tid.coordinator()).remove(tid.counter()) != null) {
      changes.add(new StorageChange.DropDecision(tid));
    }
  }

  /** Those to commit. */
  public List<Decision> commits() {
    List<Decision> commits = all();
    commits.removeIf(decision -> decision.clock() == null);
    return commits;
  }

  public List<Decision> all() {
    List<Decision> all = new ArrayList<>();
    known.values().forEach(of -> all.addAll(of.values()));
    return all;
  }

  public int size() {
    return known.values().stream().mapToInt(TreeMap::size).sum();
  }
}
