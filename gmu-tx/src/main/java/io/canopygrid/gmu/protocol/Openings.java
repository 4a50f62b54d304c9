package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.protocol.copy.EntryRoom;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The closed copies of this node: asks the disk for the versions of one at a time, or two where
 * somebody waits (protocol.md, Closed copies). Confined to the protocol lock, except {@link
 * #size()}.
 */
final class Openings {
  /** The copies that are read at a time: what nobody waits for leaves others the processors. */
  private static final int AT_ONCE = 1;

  private static final int WANTED_AT_ONCE = 2;

  private final Outbox outbox;
  private final EntryRoom memory;
  private final IntPredicate isPrimary;
  private final Set<Integer> closed = new LinkedHashSet<>();

  /** Closed copies that somebody waits for, the last one who came first. */
  private final ArrayDeque<Integer> wanted = new ArrayDeque<>();

  /** The questions that have no whole answer yet, by shard. */
  private final Map<Integer, Effect.Open> asked = new HashMap<>();

  private volatile int size;

  /**
   * None yet.
   *
   * @param isPrimary whether this node is the primary of a shard, which can serve when it is open
   */
  Openings(Outbox outbox, EntryRoom memory, IntPredicate isPrimary) {
    this.outbox = outbox;
    this.memory = memory;
    this.isPrimary = isPrimary;
  }

  /** A copy that is closed. */
  void add(int shard) {
    closed.add(shard);
    count();
  }

  /**
   * Somebody waits for a shard. It comes before those that were waited for until now: who wants all
   * shards, as states of the past and feeds do, must not keep others from one.
   */
  void want(int shard) {
    if (closed.contains(shard) && !Objects.equals(wanted.peek(), shard)) {
      wanted.remove(shard);
      wanted.push(shard);
    }
  }

  /** Asks for the next ones, at the end of a step. */
  void ask() {
    while (!closed.isEmpty() && asked.size() < (wanted.isEmpty() ? AT_ONCE : WANTED_AT_ONCE)) {
      int shard = next();
      closed.remove(shard);
      // The other half is for the keys of the copies that are still closed.
      long room = Math.max(0, memory.bytesMax() / 2 - memory.bytes());
      asked.put(shard, outbox.open(shard, room));
    }
  }

  private int next() {
    Integer first = wanted.poll();
    return first != null
        ? first
        : closed.stream()
            .filter(isPrimary::test)
            .findFirst()
            .orElseGet(() -> closed.iterator().next());
  }

  /** Whether an answer is for the copy that is here now. */
  boolean isOf(Effect.Open answered) {
    return answered.equals(asked.get(answered.shard()));
  }

  /** A copy is open. */
  void end(Effect.Open answered) {
    asked.remove(answered.shard());
    count();
  }

  /** A copy is gone. */
  void forget(int shard) {
    closed.remove(shard);
    wanted.remove(shard);
    asked.remove(shard);
    count();
  }

  /** All copies are gone, but TOP's, which is never closed. */
  void clear() {
    closed.clear();
    wanted.clear();
    asked.clear();
    count();
  }

  private void count() {
    size = closed.size() + asked.size();
  }

  /** The copies that are closed. Any thread. */
  int size() {
    return size;
  }
}
