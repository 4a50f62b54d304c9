package io.canopygrid.btree.control;

import io.canopygrid.btree.balance.Reshaping.Ending;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes that a node makes now, and the last {@value #KEPT} that it made. Thread-safe. */
public final class ChangeLog {
  /** The number of ended changes that are kept. */
  public static final int KEPT = 100;

  private final Deque<Running> ended = new ArrayDeque<>();
  private final List<Running> running = new ArrayList<>();

  /**
   * A change as it was at a moment.
   *
   * @param startedMillis since 1970
   * @param tookMillis so far
   * @param moved how many entries so far
   * @param ending null: it is under way
   */
  public record Entry(
      PlannedChange change,
      long startedMillis,
      long tookMillis,
      long moved,
      @Nullable Ending ending) {
    /** The time that the change still takes if it goes on like this; 0 when it has ended. */
    public long etaMillis() {
      long left = Math.max(0, change.entries() - moved);
      return ending != null || moved == 0 ? 0 : tookMillis * left / moved;
    }
  }

  /** A change under way. */
  final class Running {
    private final PlannedChange change;
    private final long startedMillis = System.currentTimeMillis();
    private final long startedNanos = System.nanoTime();
    private long moved;
    private long tookMillis;
    private @Nullable Ending ending;

    private Running(PlannedChange change) {
      this.change = change;
    }

    void carried(int entries) {
      synchronized (ChangeLog.this) {
        moved += entries;
      }
    }

    void ended(Ending how) {
      synchronized (ChangeLog.this) {
        tookMillis = took();
        ending = how;
        running.remove(this);
        ended.addLast(this);
        if (ended.size() > KEPT) {
          ended.removeFirst();
        }
      }
    }

    private long took() {
      return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    Entry entry() {
      synchronized (ChangeLog.this) {
        long took = ending == null ? took() : tookMillis;
        return new Entry(change, startedMillis, took, moved, ending);
      }
    }
  }

  synchronized Running begin(PlannedChange change) {
    Running begun = new Running(change);
    running.add(begun);
    return begun;
  }

  /** The changes that have ended, the oldest first, then the changes under way. */
  public synchronized List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    ended.forEach(change -> all.add(change.entry()));
    running.forEach(change -> all.add(change.entry()));
    return all;
  }
}
