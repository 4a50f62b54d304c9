package io.canopygrid.gmu.protocol.membership;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Flush;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members that have told what they know since the topology was installed (protocol.md, Flush):
 * first every member's decisions, then every member's word that it has resolved those of all. The
 * next topology starts it over.
 */
public final class FlushRound {
  private final Set<NodeId> flushed = new HashSet<>();
  private final Set<NodeId> done = new HashSet<>();
  private final Map<TxId, Decision> told = new LinkedHashMap<>();
  private List<NodeId> members = List.of();
  private boolean complete;
  private boolean resolved;
  private @Nullable Flush own;
  private long saidAt;

  /**
   * Begins the round of a new topology.
   *
   * @param ownWord what this node tells the others, the same each time that it does
   */
  public void start(NodeId self, List<NodeId> inMembers, Flush ownWord, long nowNanos) {
    members = inMembers;
    flushed.clear();
    done.clear();
    told.clear();
    complete = false;
    resolved = false;
    flushed.add(self);
    own = ownWord;
    saidAt = nowNanos;
    ownWord.decisions().forEach(d -> told.put(d.tid(), d));
  }

  /** Whether a member's flush is news: what a late copy brings may be done, and dropped. */
  public boolean isNew(NodeId member) {
    return !flushed.contains(member);
  }

  public void onFlush(NodeId member, Flush flush) {
    flushed.add(member);
    flush.decisions().forEach(d -> told.putIfAbsent(d.tid(), d));
  }

  /** True once: when the last flush was resolved. */
  public boolean completes() {
    if (complete || !flushed.containsAll(members)) {
      return false;
    }
    complete = true;
    return true;
  }

  /** All members have told what they know, and it is resolved here. */
  public boolean isComplete() {
    return complete;
  }

  public void onDone(NodeId member) {
    done.add(member);
  }

  /** All members have resolved all flushes: what coordinators that left decided is done. */
  public boolean isDone() {
    return !members.isEmpty() && done.containsAll(members);
  }

  /** The decisions in the flushes that have come. */
  public Collection<Decision> told() {
    return told.values();
  }

  /** All of it is resolved here, and nobody needs to hear of it again. */
  public void resolve() {
    resolved = true;
    told.clear();
    own = null;
  }

  /**
   * All members have resolved all flushes, and this node what it had kept back of them: before that
   * a new primary does not serve (Several failures at once).
   */
  public boolean isResolved() {
    return resolved;
  }

  /** The flush message of this node; null where all have heard it. */
  public @Nullable Flush own() {
    return own;
  }

  /** The members that have not said that they are done, if it was long ago; else none. */
  public List<NodeId> overdue(long nowNanos, long nanos) {
    if (nowNanos - saidAt < nanos) {
      return List.of();
    }
    saidAt = nowNanos;
    return members.stream().filter(member -> !done.contains(member)).toList();
  }
}
