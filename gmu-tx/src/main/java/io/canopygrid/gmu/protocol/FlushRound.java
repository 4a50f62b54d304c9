package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who has told what it knows since the topology was installed (transactions.md, Flush): first every
 * member's decisions, then every member's word that it has settled those of all. The next topology
 * starts it over.
 */
final class FlushRound {
  private final Set<NodeId> flushed = new HashSet<>();
  private final Set<NodeId> done = new HashSet<>();
  private List<NodeId> members = List.of();
  private boolean complete;

  void start(NodeId self, List<NodeId> inMembers) {
    members = inMembers;
    flushed.clear();
    done.clear();
    complete = false;
    flushed.add(self);
  }

  /** Whether a member's flush is news: what a late copy brings may be done, and dropped. */
  boolean isNew(NodeId member) {
    return !flushed.contains(member);
  }

  void onFlush(NodeId member) {
    flushed.add(member);
  }

  /** True once: when the last flush was settled. */
  boolean completes() {
    if (complete || members.isEmpty() || !flushed.containsAll(members)) {
      return false;
    }
    complete = true;
    return true;
  }

  /** All members have told what they know, and it is settled here. */
  boolean isComplete() {
    return complete;
  }

  void onDone(NodeId member) {
    done.add(member);
  }

  /** All members have settled all flushes: what coordinators that left decided is done. */
  boolean isDone() {
    return !members.isEmpty() && done.containsAll(members);
  }
}
