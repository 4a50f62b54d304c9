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
    byte[] was = before == null ? null : before.value();
    byte[] is = after == null ? null : after.value();
    if (key.isHeader() || (was == null && is == null)) {
      return;
    }
    long kcl = key.kcl();
    Live live = counts.computeIfAbsent(kcl, k -> new Live());
    live.entries += (is == null ? 0 : 1) - (was == null ? 0 : 1);
    live.bytes += bytes(key, is) - bytes(key, was);
    Invariant.holds(live.entries >= 0 && live.bytes >= 0, "fewer than no entries: kcl %s", kcl);
    if (live.entries == 0) {
      Invariant.holds(live.bytes == 0, "no entries of %s bytes: kcl %s", live.bytes, kcl);
      counts.remove(kcl);
    }
    if (was == null) {
      grown.add(kcl);
    }
  }

  private static long bytes(CompositeKey key, byte @Nullable [] value) {
    return value == null ? 0 : key.bytes().length - CompositeKey.KCL_BYTES + value.length;
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
