package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which keys of one primary are hot (protocol.md, Which keys are hot). Confined to the
 * protocol lock.
 */
final class Heat {
  private final HotLimits limits;
  private final ReadCounters window = new ReadCounters();
  private long windowBegan;

  /** All reads that were ever counted. */
  private long total;

  private final Map<CompositeKey, Period> hot = new LinkedHashMap<>();

  /** The time after which a hot key is looked at again, and its reads in it. */
  private static final class Period {
    long began;
    long totalBefore;
    long reads;

    /** The reads among these that keepers have answered. */
    long atCopies;

    /** The reads of the last period that has ended; null: none has. */
    @Nullable ReadRate last;

    Period(long began, long totalBefore) {
      this.began = began;
      this.totalBefore = totalBefore;
    }

    void end(long nowNanos, long total) {
      last = rate(nowNanos - began);
      began = nowNanos;
      totalBefore = total;
      reads = 0;
      atCopies = 0;
    }

    ReadRate rate(long elapsedNanos) {
      return ReadRate.of(reads, atCopies, elapsedNanos);
    }
  }

  Heat(HotLimits limits) {
    this.limits = limits;
  }

  /**
   * Counts reads of a key.
   *
   * @return whether the key is hot now, and was not before
   */
  boolean add(CompositeKey key, long reads, int members, long nowNanos) {
    if (nowNanos - windowBegan >= limits.windowNanos()) {
      window.clear();
      windowBegan = nowNanos;
    }
    total += reads;
    Period period = hot.get(key);
    if (period != null) {
      period.reads += reads;
    }
    long counted = window.add(key, reads);
    boolean becomes =
        period == null
            && counted >= limits.readsAtOnce()
            && counted * sharesOfLoad(members) > window.total()
            && hot.size() < HotLimits.KEYS_MAX;
    if (becomes) {
      hot.put(key, new Period(nowNanos, total));
      Invariant.holds(hot.size() <= HotLimits.KEYS_MAX, "too many hot keys: %s", hot.size());
    }
    return becomes;
  }

  /** Says of reads that were counted that keepers have answered them. */
  void atCopies(CompositeKey key, long reads) {
    Period period = hot.get(key);
    if (period != null) {
      period.atCopies = Math.min(period.reads, period.atCopies + reads);
    }
  }

  /** The reads of the hot keys: in the last period of each, or in its first one so far. */
  Map<CompositeKey, ReadRate> rates(long nowNanos) {
    Map<CompositeKey, ReadRate> rates = new LinkedHashMap<>();
    hot.forEach((key, period) -> {
      long elapsedNanos = Math.max(limits.windowNanos(), nowNanos - period.began);
      rates.put(key, period.last == null ? period.rate(elapsedNanos) : period.last);
    });
    return rates;
  }

  /** A hot key has more than one of so many equal shares of the load: 16 log2 n. */
  private static long sharesOfLoad(int members) {
    return 16L * Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(members - 1));
  }

  /** Forgets the keys that are not hot any more. To be called at times. */
  void cool(int members, long nowNanos) {
    List<CompositeKey> cold = new ArrayList<>();
    hot.forEach((key, period) -> {
      long elapsed = nowNanos - period.began;
      if (elapsed >= limits.stayNanos()) {
        boolean stays =
            4 * period.reads * limits.windowNanos() >= limits.readsAtOnce() * elapsed
                && 4 * period.reads * sharesOfLoad(members) >= total - period.totalBefore;
        if (!stays) {
          cold.add(key);
        }
        period.end(nowNanos, total);
      }
    });
    cold.forEach(hot::remove);
  }

  /** The hot keys. */
  Set<CompositeKey> keys() {
    return hot.keySet();
  }

  /** Forgets all hot keys. */
  void clear() {
    hot.clear();
    window.clear();
  }
}
