package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many live entries each kcl of a shard has in this copy, headers left out. Thread-safe: the
 * lane writes, any thread asks.
 */
final class LiveCounts {
  private final Map<Long, Long> counts = new HashMap<>();
  private final Set<Long> grown = new LinkedHashSet<>();

  synchronized long of(long kcl) {
    return counts.getOrDefault(kcl, 0L);
  }

  /** A key's chain was replaced. */
  synchronized void replaced(
      CompositeKey key, @Nullable VersionChain before, @Nullable VersionChain after) {
    boolean was = before != null && !before.isTombstone();
    boolean is = after != null && !after.isTombstone();
    if (was == is || key.isHeader()) {
      return;
    }
    long kcl = key.kcl();
    long count = counts.merge(kcl, is ? 1L : -1L, Long::sum);
    Invariant.holds(count >= 0, "fewer than no entries: kcl %s", kcl);
    if (count == 0) {
      counts.remove(kcl);
    }
    if (is) {
      grown.add(kcl);
    }
  }

  /** The kcls that got an entry since the last call. */
  synchronized Set<Long> takeGrown() {
    if (grown.isEmpty()) {
      return Set.of();
    }
    Set<Long> taken = new LinkedHashSet<>(grown);
    grown.clear();
    return taken;
  }
}
