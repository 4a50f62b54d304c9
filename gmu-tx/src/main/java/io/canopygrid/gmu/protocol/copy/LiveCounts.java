package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The number of live entries of each kcl of a shard in this copy, and of their bytes, headers left
 * out. Thread-safe: the thread with the protocol lock writes, any thread asks.
 */
public final class LiveCounts {
  private final Map<Long, Live> counts = new HashMap<>();
  private final Set<Long> grown = new LinkedHashSet<>();

  /** One kcl's. */
  private static final class Live {
    long entries;
    long bytes;
  }

  public synchronized KclSize of(long kcl) {
    Live live = counts.get(kcl);
    return live == null ? KclSize.NONE : new KclSize(live.entries, live.bytes);
  }

  /** A key's chain was replaced. */
  synchronized void replaced(
      CompositeKey key, @Nullable VersionChain before, @Nullable VersionChain after) {
    boolean was = before != null && !before.isTombstone();
    boolean is = after != null && !after.isTombstone();
    if (key.isHeader() || (!was && !is)) {
      return;
    }
    long kcl = key.kcl();
    Live live = counts.computeIfAbsent(kcl, k -> new Live());
    live.entries += (is ? 1 : 0) - (was ? 1 : 0);
    live.bytes += bytes(key, after) - bytes(key, before);
    Invariant.holds(live.entries >= 0 && live.bytes >= 0, "fewer than no entries: kcl %s", kcl);
    if (live.entries == 0) {
      Invariant.holds(live.bytes == 0, "no entries of %s bytes: kcl %s", live.bytes, kcl);
      counts.remove(kcl);
    }
    if (!was) {
      grown.add(kcl);
    }
  }

  private static long bytes(CompositeKey key, @Nullable VersionChain chain) {
    return chain == null || chain.isTombstone()
        ? 0
        : key.bytes().length - CompositeKey.KCL_BYTES + chain.size();
  }

  /** The kcls that got an entry since the last call. */
  public synchronized Set<Long> takeGrown() {
    if (grown.isEmpty()) {
      return Set.of();
    }
    Set<Long> taken = new LinkedHashSet<>(grown);
    grown.clear();
    return taken;
  }
}
