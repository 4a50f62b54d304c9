package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The members that have stopped, and have said that they will be back soon. While one is awaited,
 * and for a bounded time, its shards go to no other node. Any other change of the members ends all
 * waits: a node that joins is perhaps the one that was awaited, and in any case the shards are
 * placed anew for it; a node that is lost leaves too few copies to wait any longer. Thread-safe.
 */
final class Absences {
  private final LongSupplier nanoTime;

  /** Replaced as a whole under this object's monitor, and read without it. */
  private volatile Map<NodeId, Absence> absent = Map.of();

  /** The members when the first of these said so; guarded by this object. */
  private Set<NodeId> members = Set.of();

  Absences(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * A member that is awaited.
   *
   * @param name for people
   * @param graceMillis for how long, from when it said so
   */
  record Absence(String name, long graceMillis, long deadlineNanos) {}

  /**
   * A member stops, and will be back. Earlier waits that a node has ended by joining, which nobody
   * has looked at yet, do not end this one.
   *
   * @param present the members, this one included
   * @return whether that was not known yet
   */
  synchronized boolean stops(
      NodeId who, String name, long graceMillis, Collection<NodeId> present) {
    if (absent.containsKey(who)) {
      return false;
    }
    Map<NodeId, Absence> next = new LinkedHashMap<>();
    if (members.containsAll(present)) {
      next.putAll(absent);
    } else {
      members = Set.copyOf(present);
    }
    long deadline = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
    next.put(who, new Absence(name, graceMillis, deadline));
    absent = Map.copyOf(next);
    return true;
  }

  /** Whether one is awaited now; by the clock, whether anybody looks at it or not. */
  boolean isAwaited() {
    long now = nanoTime.getAsLong();
    return absent.values().stream().anyMatch(any -> any.deadlineNanos() - now > 0);
  }

  /** The members that are awaited, or were until their time was over. */
  Set<NodeId> nodes() {
    return absent.keySet();
  }

  /** The same, for people. */
  List<Absence> all() {
    return List.copyOf(absent.values());
  }

  /**
   * Takes a look at what has changed.
   *
   * @param present the nodes that are there, this one included
   * @param now the members now, with those that join
   * @return why none is awaited any longer, in words; null: one is still, or none was before
   */
  synchronized @Nullable String look(Set<NodeId> present, Set<NodeId> now) {
    if (absent.isEmpty()) {
      return null;
    }
    if (!members.containsAll(now)) {
      return end("a node joins");
    }
    Set<NodeId> lost = new HashSet<>(members);
    lost.removeIf(member -> present.contains(member) && now.contains(member));
    lost.removeAll(absent.keySet());
    if (!lost.isEmpty()) {
      return end("other members were lost: " + lost);
    }
    return isAwaited() ? null : end("the time is over");
  }

  /** Awaits none any longer; false: none was awaited. */
  synchronized boolean forget() {
    return end("") != null;
  }

  private @Nullable String end(String why) {
    boolean were = !absent.isEmpty();
    absent = Map.of();
    members = Set.of();
    return were ? why : null;
  }
}
