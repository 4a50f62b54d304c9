package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.CopiedEntries;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.catalog.IndexClones;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.Pace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives clones the entries that they share with their parents, in small transactions, each valid by
 * itself. Thread-safe.
 */
final class Flattening {
  private static final String LABEL = "canopy.clone";
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int KEYS_MIN = 8;
  private static final int KNOWN_MAX = 100;
  private static final long BYTES_MAX = 1 << 20;
  private static final Backoff CONFLICTS = new Backoff(1_000_000, 50_000_000);

  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final IndexClones clones;
  private final Pace pace;
  private final Function<Begin, TreeTransaction> begin;
  private final int keysMax;

  /**
   * The progress of copying, by the numbers of clones. A key of a caller's could be behind some
   * that are not copied, and these would be lost. A clone that is not here any more is copied anew,
   * which copies nothing twice.
   */
  private final Map<Integer, Progress> known =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Progress> eldest) {
              return size() > KNOWN_MAX;
            }
          });

  /**
   * The progress of copying a clone. Nobody takes away what is copied, but for a power cut.
   *
   * @param cuts how many of these there were before the first copy
   * @param next the key below which all is copied; null: all is
   */
  private record Progress(int cuts, byte @Nullable [] next) {}

  /**
   * In the time of an engine, with transactions that it begins.
   *
   * @param keysMax that one transaction looks at
   */
  Flattening(IndexClones clones, Pace pace, Function<Begin, TreeTransaction> begin, int keysMax) {
    this.keysMax = keysMax;
    this.clones = clones;
    this.pace = pace;
    this.begin = begin;
  }

  /**
   * Some steps, for about a second.
   *
   * @throws CanopyException as a transaction throws, also a retryable one where time is over
   */
  FlattenStep step(IndexRef clone) {
    int number = clone.number();
    if (!clone.isClone()) {
      return new FlattenStep(number, 0, true);
    }
    long beganNanos = pace.nanoTime();
    Progress progress = known.get(number);
    if (progress == null || progress.cuts() != clones.cuts()) {
      progress = new Progress(clones.cuts(), new byte[0]);
    }
    long copied = 0;
    byte[] from = progress.next();
    while (from != null && pace.nanoTime() - beganNanos < STEP_NANOS) {
      CopiedEntries done = copied(clone, from);
      copied += done.entries();
      from = done.next();
      progress = new Progress(progress.cuts(), from);
      known.put(number, progress);
    }
    boolean isLast = from == null && clones.flattened(clone.name(), number, progress.cuts());
    if (from == null) {
      known.remove(number);
    }
    return new FlattenStep(number, copied, isLast);
  }

  /** After a conflict it is tried again with fewer keys: others write to the clone. */
  private CopiedEntries copied(IndexRef clone, byte[] from) {
    long deadlineNanos = pace.nanoTime() + TIMEOUT_NANOS;
    int keys = keysMax;
    for (int attempt = 1; ; attempt++) {
      try {
        return copy(clone, from, keys, deadlineNanos);
      } catch (CanopyException e) {
        if (!e.code().retryable() || pace.nanoTime() - deadlineNanos >= 0) {
          throw e;
        }
      }
      keys = Math.min(keys, Math.max(KEYS_MIN, keys / 2));
      CONFLICTS.pause(attempt, deadlineNanos, pace);
    }
  }

  private CopiedEntries copy(IndexRef clone, byte[] from, int keys, long deadlineNanos) {
    Begin how =
        new Begin(Mode.UPDATE, VectorClock.ZERO, deadlineNanos, LABEL, ReadFrom.PRIMARY, "");
    TreeTransaction transaction = begin.apply(how);
    try {
      CopiedEntries done = transaction.copyDown(clone, from, keys, BYTES_MAX);
      transaction.commit();
      return done;
    } finally {
      transaction.end();
    }
  }
}
