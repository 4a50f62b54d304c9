package io.canopygrid.gmu.protocol.lock;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.lock.LockRequest.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks held at one shard's primary: per key one exclusive or many shared, and shared ranges.
 * Locks are taken all at once or not at all, so nobody holds some while it waits here.
 *
 * <p>A key's locks are found by hash. A range looks at the written keys of its kcl, which are in
 * order; a written key looks at the ranges held in its kcl, of which there are as many as
 * transactions that scanned it and are being committed.
 */
public final class LockTable {
  private final Map<TxId, LockRequest> holders = new HashMap<>();
  private final Map<CompositeKey, KeyLock> keys = new HashMap<>();
  private final Map<Long, NavigableMap<CompositeKey, LockRequest>> written = new HashMap<>();
  private final Map<Long, List<HeldRange>> ranges = new HashMap<>();

  /** The holders of one key: there is one at least. */
  private static final class KeyLock {
    private @Nullable LockRequest exclusive;
    private final List<LockRequest> shared = new ArrayList<>(2);

    LockRequest anyHolder() {
      return exclusive == null ? shared.get(0) : exclusive;
    }
  }

  private record HeldRange(Range range, LockRequest holder) {}

  /**
   * A holder that stands in a request's way.
   *
   * @param certain the request has read what the holder will overwrite if it commits, and the
   *     holder may be long in doing so, because it takes part in several shards
   */
  public record Obstacle(LockRequest holder, CompositeKey key, boolean certain) {}

  /**
   * The obstacle that stands in a request's way, a certain one before all others; null: there is
   * none.
   */
  public @Nullable Obstacle obstacle(LockRequest request) {
    Obstacle found = null;
    for (CompositeKey key : request.reads()) {
      found = worse(found, writerOf(key, true));
    }
    for (Range range : request.ranges()) {
      found = worse(found, writerIn(range));
    }
    if (found != null && found.certain) {
      return found;
    }
    for (CompositeKey header : request.headers()) {
      found = found != null ? found : writerOf(header, false);
    }
    for (CompositeKey key : request.exclusive().keySet()) {
      found = found != null ? found : userOf(key);
    }
    return found;
  }

  /** Gives a request all its locks; nothing may stand in its way. */
  public void grant(LockRequest request) {
    TxId tid = request.rec().tid();
    Invariant.holds(holders.put(tid, request) == null, "locked twice: %s", tid);
    for (CompositeKey key : request.exclusive().keySet()) {
      KeyLock lock = lock(key);
      Invariant.holds(
          lock.exclusive == null && lock.shared.isEmpty(), "%s is locked, and not by %s", key, tid);
      lock.exclusive = request;
      written.computeIfAbsent(key.kcl(), k -> new TreeMap<>()).put(key, request);
    }
    for (CompositeKey key : request.reads()) {
      share(key, request);
    }
    for (CompositeKey header : request.headers()) {
      share(header, request);
    }
    for (Range range : request.ranges()) {
      ranges
          .computeIfAbsent(range.kcl(), k -> new ArrayList<>(2))
          .add(new HeldRange(range, request));
    }
  }

  /** Takes a transaction's locks away; false where it has none. */
  public boolean release(TxId tid) {
    LockRequest request = holders.remove(tid);
    if (request == null) {
      return false;
    }
    for (CompositeKey key : request.exclusive().keySet()) {
      drop(key, request);
      NavigableMap<CompositeKey, LockRequest> ofKcl =
          Invariant.present(written.get(key.kcl()), "locked, and not among the written keys");
      ofKcl.remove(key);
      if (ofKcl.isEmpty()) {
        written.remove(key.kcl());
      }
    }
    request.reads().forEach(key -> drop(key, request));
    request.headers().forEach(header -> drop(header, request));
    for (Range range : request.ranges()) {
      List<HeldRange> ofKcl = ranges.get(range.kcl());
      if (ofKcl != null && ofKcl.removeIf(held -> held.holder == request) && ofKcl.isEmpty()) {
        ranges.remove(range.kcl());
      }
    }
    return true;
  }

  /** Whether somebody is going to write a key. */
  public boolean isWritten(CompositeKey key) {
    KeyLock lock = keys.get(key);
    return lock != null && lock.exclusive != null;
  }

  boolean holds(TxId tid) {
    return holders.containsKey(tid);
  }

  public int size() {
    return holders.size();
  }

  private static @Nullable Obstacle worse(@Nullable Obstacle a, @Nullable Obstacle b) {
    return a == null || (b != null && b.certain && !a.certain) ? b : a;
  }

  private @Nullable Obstacle writerOf(CompositeKey key, boolean wasRead) {
    KeyLock lock = keys.get(key);
    LockRequest writer = lock == null ? null : lock.exclusive;
    return writer == null ? null : new Obstacle(writer, key, wasRead && isCertain(writer, key));
  }

  private @Nullable Obstacle writerIn(Range range) {
    NavigableMap<CompositeKey, LockRequest> ofKcl = written.get(range.kcl());
    if (ofKcl == null) {
      return null;
    }
    CompositeKey to = range.to();
    NavigableMap<CompositeKey, LockRequest> in =
        to == null
            ? ofKcl.tailMap(range.from(), true)
            : range.from().compareTo(to) < 0
                ? ofKcl.subMap(range.from(), true, to, false)
                : new TreeMap<>();
    Obstacle found = null;
    for (Map.Entry<CompositeKey, LockRequest> e : in.entrySet()) {
      boolean certain = isCertain(e.getValue(), e.getKey());
      found = worse(found, new Obstacle(e.getValue(), e.getKey(), certain));
    }
    return found;
  }

  private @Nullable Obstacle userOf(CompositeKey key) {
    KeyLock lock = keys.get(key);
    if (lock != null) {
      return new Obstacle(lock.anyHolder(), key, false);
    }
    for (HeldRange held : ranges.getOrDefault(key.kcl(), List.of())) {
      if (held.range.contains(key)) {
        return new Obstacle(held.holder, key, false);
      }
    }
    return null;
  }

  /** A copy keeps its writer, so what was read of it stays valid ({@link Write#origin()}). */
  private static boolean isCertain(LockRequest holder, CompositeKey key) {
    Write write = Invariant.present(holder.exclusive().get(key), "locked, and not to be written");
    return holder.rec().participants().size() > 1 && write.origin() == null;
  }

  private void share(CompositeKey key, LockRequest request) {
    if (!request.writes(key)) {
      KeyLock lock = lock(key);
      Invariant.holds(lock.exclusive == null, "%s is locked, and not by %s", key, request);
      lock.shared.add(request);
    }
  }

  private KeyLock lock(CompositeKey key) {
    return keys.computeIfAbsent(key, k -> new KeyLock());
  }

  private void drop(CompositeKey key, LockRequest request) {
    KeyLock lock = keys.get(key);
    if (lock == null) {
      return;
    }
    // Where others share it, nobody has it alone.
    lock.shared.removeIf(holder -> holder == request);
    if (lock.shared.isEmpty()) {
      keys.remove(key);
    }
  }
}
