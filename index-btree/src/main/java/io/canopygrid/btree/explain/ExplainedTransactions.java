package io.canopygrid.btree.explain;

import io.canopygrid.engine.StepRecorder;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.Explanation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of some callers whose steps are recorded without anybody asking: of each label
 * at most one per second. The slowest ones of the last hour are kept, and the last ones that
 * somebody has asked to be explained. Thread-safe.
 */
public final class ExplainedTransactions implements StepRecorder {
  /** Most labels of which transactions are recorded. */
  static final int LABELS_MAX = 50;

  /** Most transactions that are kept of a label. */
  static final int SLOWEST_MAX = 4;

  /** Most transactions that are kept since somebody has asked for them. */
  static final int ASKED_MAX = 10;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long AGE_NANOS_MAX = TimeUnit.HOURS.toNanos(1);

  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<String, OfLabel> byLabel = new ConcurrentHashMap<>();

  /** Newest last; guarded by itself. */
  private final Deque<Explained> asked = new ArrayDeque<>();

  /** Records none yet. */
  public ExplainedTransactions(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A transaction that has ended, and when. */
  private record Kept(Explained explained, long endedNanos) {}

  private static final class OfLabel {
    final AtomicLong nextNanos;

    /** The slowest first; guarded by itself. */
    final List<Kept> slowest = new ArrayList<>();

    OfLabel(long nowNanos) {
      nextNanos = new AtomicLong(nowNanos);
    }

    boolean isDue(long nowNanos) {
      long next = nextNanos.get();
      return nowNanos - next >= 0 && nextNanos.compareAndSet(next, nowNanos + PAUSE_NANOS);
    }
  }

  /**
   * Whether the steps of a transaction that begins are recorded.
   *
   * @return null: they are not, as mostly
   */
  public @Nullable Explanation sample(String label, long nowNanos) {
    OfLabel known = byLabel.get(label);
    if (known == null) {
      if (byLabel.size() >= LABELS_MAX) {
        return null;
      }
      known = byLabel.computeIfAbsent(label, any -> new OfLabel(nowNanos));
    }
    return known.isDue(nowNanos) ? new Explanation(label, nanoTime) : null;
  }

  @Override
  public @Nullable Explanation begins(String label) {
    return sample(label, nanoTime.getAsLong());
  }

  @Override
  public void ended(Explained explained) {
    keep(explained);
  }

  /** Keeps a recorded transaction that has ended, if it is one of the slowest of its label. */
  public void keep(Explained ended) {
    OfLabel of = byLabel.get(ended.label());
    if (of == null) {
      return;
    }
    long now = nanoTime.getAsLong();
    synchronized (of.slowest) {
      forgetOld(of, now);
      of.slowest.add(new Kept(ended, now));
      of.slowest.sort(Comparator.comparingLong((Kept kept) -> kept.explained.nanos()).reversed());
      if (of.slowest.size() > SLOWEST_MAX) {
        of.slowest.remove(SLOWEST_MAX);
      }
    }
  }

  /** Makes room for another label where nothing is kept of this one. */
  public void forget(String label) {
    byLabel.computeIfPresent(
        label,
        (same, of) -> {
          synchronized (of.slowest) {
            return of.slowest.isEmpty() ? null : of;
          }
        });
  }

  private static void forgetOld(OfLabel of, long nowNanos) {
    of.slowest.removeIf(kept -> nowNanos - kept.endedNanos > AGE_NANOS_MAX);
  }

  /** Keeps a transaction that somebody has asked to be explained. */
  public void keepAsked(Explained ended) {
    synchronized (asked) {
      asked.addLast(ended);
      if (asked.size() > ASKED_MAX) {
        asked.removeFirst();
      }
    }
  }

  /** All that are kept: first those that were asked for, newest first, then the slowest first. */
  public List<Explained> all() {
    List<Explained> all = new ArrayList<>();
    synchronized (asked) {
      asked.descendingIterator().forEachRemaining(all::add);
    }
    List<Explained> slowest = new ArrayList<>();
    long now = nanoTime.getAsLong();
    for (OfLabel of : byLabel.values()) {
      synchronized (of.slowest) {
        forgetOld(of, now);
        of.slowest.forEach(kept -> slowest.add(kept.explained));
      }
    }
    slowest.sort(Comparator.comparingLong(Explained::nanos).reversed());
    all.addAll(slowest);
    return all;
  }
}
