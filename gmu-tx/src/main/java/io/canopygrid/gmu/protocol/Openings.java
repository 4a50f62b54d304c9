package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.protocol.copy.EntryRoom;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The closed copies of this node: asks the disk for their versions, of a few at a time, those first
 * for which somebody waits (protocol.md, Closed copies). Confined to the protocol lock, except
 * {@link #size()}.
 */
final class Openings {
  /** The copies that are read at a time: what nobody waits for leaves others the processors. */
  private static final int AT_ONCE = 1;

  private static final int WANTED_AT_ONCE = 2;

  private final Outbox outbox;
  private final EntryRoom memory;
  private final Set<Integer> closed = new LinkedHashSet<>();

  /** Those of them that somebody waits for. */
  private final Set<Integer> wanted = new LinkedHashSet<>();

  /** The questions that have no whole answer yet, by shard. */
  private final Map<Integer, Effect.Open> asked = new HashMap<>();

  private volatile int size;

  Openings(Outbox outbox, EntryRoom memory) {
    this.outbox = outbox;
    this.memory = memory;
  }

  /** A copy that is closed. */
  void add(int shard) {
    closed.add(shard);
    count();
  }

  /** Somebody waits for a shard. */
  void want(int shard) {
    if (closed.contains(shard)) {
      wanted.add(shard);
    }
  }

  /** Asks for the next ones, at the end of a step. */
  void ask() {
    while (!closed.isEmpty() && asked.size() < (wanted.isEmpty() ? AT_ONCE : WANTED_AT_ONCE)) {
      Iterator<Integer> order = (wanted.isEmpty() ? closed : wanted).iterator();
      int shard = order.next();
      wanted.remove(shard);
      closed.remove(shard);
      // Keys take memory, too, and others are to come.
      long room = Math.max(0, memory.bytesMax() / 2 - memory.bytes());
      asked.put(shard, outbox.open(shard, room));
    }
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
