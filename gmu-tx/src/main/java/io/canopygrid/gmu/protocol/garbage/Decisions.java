package io.canopygrid.gmu.protocol.garbage;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The decisions a node knows and keeps until they are done (protocol.md, Words and Decide, step 3),
 * and each coordinator's mark, below which all of its transactions are.
 */
public final class Decisions {
  private final Map<NodeId, TreeMap<Long, Decision>> known = new HashMap<>();
  private final Map<NodeId, Long> marks = new HashMap<>();
  private final Completeness completeness = new Completeness();

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

  /** Keeps a decision; the first one heard of stays. */
  public void remember(Decision decision) {
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
    long mark = marks.merge(coordinator, below, Math::max);
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

  /** Forgets a decision that nobody else has heard of. */
  public void forget(TxId tid) {
    TreeMap<Long, Decision> of = Invariant.present(known.get(tid.coordinator()), "never known");
    completeness.replicated(Invariant.present(of.remove(tid.counter()), "never known"));
    if (of.isEmpty()) {
      known.remove(tid.coordinator());
    }
  }

  /** Forgets all decisions of some coordinators. */
  public void forgetAll(Predicate<NodeId> coordinators) {
    known
        .entrySet()
        .removeIf(of -> {
          boolean forgotten = coordinators.test(of.getKey());
          if (forgotten) {
            of.getValue().values().forEach(completeness::replicated);
          }
          return forgotten;
        });
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
