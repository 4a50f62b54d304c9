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
 * Locks are taken all at once or not at all, so nobody holds some while it waits here. Several have
 * an exclusive lock of a key where each one but the first {@linkplain Followed follows} those
 * before it (protocol.md, Writes that follow).
 *
 * <p>A key's locks are found by hash. A range looks at the written keys of its kcl, which are in
 * order; a written key looks at the ranges held in its kcl, of which there are as many as
 * transactions that scanned it and are being committed.
 */
public final class LockTable {
  /** So many have an exclusive lock of a key at most. */
  static final int WRITERS_MAX = 128;

  private final Map<TxId, LockRequest> holders = new HashMap<>();
  private final Map<CompositeKey, KeyLock> keys = new HashMap<>();
  private final Map<Long, NavigableMap<CompositeKey, KeyLock>> written = new HashMap<>();
  private final Map<Long, List<HeldRange>> ranges = new HashMap<>();
  private final Followed followed;

  /** Says whom a write need not wait for. */
  public interface Followed {
    /**
     * Whether a request that writes a key, and has not read it, may have the lock together with the
     * holder, which writes it, too.
     */
    boolean by(LockRequest holder, LockRequest request, CompositeKey key);
  }

  /** The holders of one key: there is one at least. */
  private static final class KeyLock {
    private final List<LockRequest> exclusive = new ArrayList<>(1);
    private final List<LockRequest> shared = new ArrayList<>(2);

    boolean isFree() {
      return exclusive.isEmpty() && shared.isEmpty();
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

  /** A table in which some writes may follow others. */
  public LockTable(Followed followed) {
    this.followed = followed;
  }

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
      found = found != null ? found : userOf(key, request);
    }
    return found;
  }

  /**
   * The writers that a request follows, in whose way nothing stands: of each key that it writes the
   * last one, which follows those before it.
   */
  public List<LockRequest> followedBy(LockRequest request) {
    List<LockRequest> last = List.of();
    for (CompositeKey key : request.exclusive().keySet()) {
      KeyLock lock = keys.get(key);
      if (lock != null) {
        last = last.isEmpty() ? new ArrayList<>(2) : last;
        last.add(lock.exclusive.get(lock.exclusive.size() - 1));
      }
    }
    return last;
  }

  /** Gives a request all its locks; nothing may stand in its way. */
  public void grant(LockRequest request) {
    TxId tid = request.rec().tid();
    Invariant.holds(holders.put(tid, request) == null, "locked twice: %s", tid);
    for (CompositeKey key : request.exclusive().keySet()) {
      KeyLock lock = lock(key);
      Invariant.holds(
          lock.shared.isEmpty()
              && lock.exclusive.stream().allMatch(other -> followed.by(other, request, key)),
          "%s is locked, and not by %s",
          key,
          tid);
      lock.exclusive.add(request);
      written.computeIfAbsent(key.kcl(), k -> new TreeMap<>()).put(key, lock);
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
      KeyLock lock = Invariant.present(keys.get(key), "held, and not locked");
      lock.exclusive.remove(request);
      if (lock.exclusive.isEmpty()) {
        unwritten(key);
      }
      drop(key, lock);
    }
    request.reads().forEach(key -> unshare(key, request));
    request.headers().forEach(header -> unshare(header, request));
    for (Range range : request.ranges()) {
      List<HeldRange> ofKcl = ranges.get(range.kcl());
      if (ofKcl != null && ofKcl.removeIf(held -> held.holder == request) && ofKcl.isEmpty()) {
        ranges.remove(range.kcl());
      }
    }
    return true;
  }

  private void unwritten(CompositeKey key) {
    NavigableMap<CompositeKey, KeyLock> ofKcl =
        Invariant.present(written.get(key.kcl()), "locked, and not among the written keys");
    ofKcl.remove(key);
    if (ofKcl.isEmpty()) {
      written.remove(key.kcl());
    }
  }

  /** Whether somebody is going to write a key. */
  public boolean isWritten(CompositeKey key) {
    KeyLock lock = keys.get(key);
    return lock != null && !lock.exclusive.isEmpty();
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
    return lock == null ? null : writerOf(key, lock, wasRead);
  }

  private static @Nullable Obstacle writerOf(CompositeKey key, KeyLock lock, boolean wasRead) {
    Obstacle found = null;
    for (LockRequest writer : lock.exclusive) {
      found = worse(found, new Obstacle(writer, key, wasRead && isCertain(writer, key)));
    }
    return found;
  }

  private @Nullable Obstacle writerIn(Range range) {
    NavigableMap<CompositeKey, KeyLock> ofKcl = written.get(range.kcl());
    if (ofKcl == null) {
      return null;
    }
    CompositeKey to = range.to();
    NavigableMap<CompositeKey, KeyLock> in =
        to == null
            ? ofKcl.tailMap(range.from(), true)
            : range.from().compareTo(to) < 0
                ? ofKcl.subMap(range.from(), true, to, false)
                : new TreeMap<>();
    Obstacle found = null;
    for (Map.Entry<CompositeKey, KeyLock> e : in.entrySet()) {
      found = worse(found, writerOf(e.getKey(), e.getValue(), true));
    }
    return found;
  }

  private @Nullable Obstacle userOf(CompositeKey key, LockRequest request) {
    KeyLock lock = keys.get(key);
    if (lock != null) {
      for (LockRequest writer : lock.exclusive) {
        if (lock.exclusive.size() == WRITERS_MAX || !followed.by(writer, request, key)) {
          return new Obstacle(writer, key, false);
        }
      }
      if (!lock.shared.isEmpty()) {
        return new Obstacle(lock.shared.get(0), key, false);
      }
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
      Invariant.holds(lock.exclusive.isEmpty(), "%s is locked, and not by %s", key, request);
      lock.shared.add(request);
    }
  }

  private KeyLock lock(CompositeKey key) {
    return keys.computeIfAbsent(key, k -> new KeyLock());
  }

  private void unshare(CompositeKey key, LockRequest request) {
    KeyLock lock = keys.get(key);
    if (lock != null) {
      lock.shared.removeIf(holder -> holder == request);
      drop(key, lock);
    }
  }

  private void drop(CompositeKey key, KeyLock lock) {
    if (lock.isFree()) {
      keys.remove(key);
    }
  }
}
