package io.canopygrid.btree.access.commit;

import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects how a commit goes on, and makes parts of its step of that: who was asked and for how
 * long, when it was decided, and when each node had applied it. Thread-safe.
 */
final class CommitParts implements CommitProgress {
  /** No commit that people read through has more. */
  private static final int EVENTS_MAX = 2 * Explanation.STEPS_MAX;

  private final String self;
  private final List<Heard> heard = new ArrayList<>();

  /** An event. */
  private record Heard(Event event, NodeId node, int shard, long nanos) {
    boolean isOf(Heard other, Event wanted) {
      return event == wanted && node.equals(other.node) && shard == other.shard;
    }
  }

  /**
   * The parts of one commit.
   *
   * @param self the id of the node where it runs
   */
  CommitParts(String self) {
    this.self = self;
  }

  @Override
  public synchronized void on(Event event, NodeId node, int shard, long nanos) {
    if (heard.size() < EVENTS_MAX) {
      heard.add(new Heard(event, node, shard, nanos));
    }
  }

  /**
   * Adds the parts to the step of the commit, which has been added.
   *
   * @param endedNanos when the commit ended: what is open then was not waited for
   */
  synchronized void addTo(Explanation explanation, long endedNanos) {
    Heard decided = first(Event.DECIDED);
    Heard stored = first(Event.STORED);
    for (Heard one : heard) {
      switch (one.event()) {
        case ASKED -> pair(explanation, one, Event.ANSWERED, "validate and prepare", endedNanos);
        case DELEGATED -> pair(explanation, one, Event.ANSWERED, "validate and decide", endedNanos);
        case DECIDED -> add(explanation, one, "decided", one.nanos());
        case TOLD -> pair(explanation, one, Event.APPLIED, "apply", endedNanos);
        default -> {} // the end of one of those
      }
    }
    if (decided != null && stored != null && stored.nanos() > decided.nanos()) {
      add(explanation, decided, "store the decision on disk", stored.nanos());
    }
  }

  private void pair(Explanation explanation, Heard begun, Event end, String what, long endedNanos) {
    Heard ended = null;
    for (Heard one : heard) {
      if (one.isOf(begun, end) && ended == null) {
        ended = one;
      }
      if (one.isOf(begun, begun.event()) && one.nanos() < begun.nanos()) {
        return; // it was asked again, or told: the time counts from the first time
      }
    }
    add(
        explanation,
        begun,
        ended == null ? what + ": still open at the end" : what,
        ended == null ? endedNanos : ended.nanos());
  }

  private void add(Explanation explanation, Heard begun, String what, long endedNanos) {
    explanation.addPart(
        StepKind.COMMIT,
        what,
        new At("", begun.shard(), isOwn(begun) ? "" : begun.node().toString(), -1),
        begun.nanos(),
        endedNanos);
  }

  private boolean isOwn(Heard one) {
    return one.node().toString().equals(self);
  }

  private @Nullable Heard first(Event event) {
    return heard.stream().filter(one -> one.event() == event).findFirst().orElse(null);
  }
}
