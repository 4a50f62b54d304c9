package io.canopygrid.btree.control;

import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.Reshaping.Ending;
import io.canopygrid.btree.balance.ShiftListener;
import io.canopygrid.btree.balance.SubtreeChangeEvent;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out changes, no faster than it may, and writes down how far they are. Thread-safe. */
public final class ChangeRuns {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeRuns.class);

  private final Reshaping reshaping;
  private final NodeThreads threads;
  private final BalanceLimits limits;
  private final ChangeLog log;

  /** Changes made at a node. */
  public ChangeRuns(Reshaping reshaping, NodeThreads threads, BalanceLimits limits, ChangeLog log) {
    this.reshaping = reshaping;
    this.threads = threads;
    this.limits = limits;
    this.log = log;
  }

  /**
   * Makes a change, and waits for its end.
   *
   * @param goesOn asked between two shifts; where not, the change ends as {@link Ending#IN_THE_WAY}
   *     there
   */
  public ChangeLog.Entry run(PlannedChange change, BooleanSupplier goesOn) throws TimeoutException {
    ChangeLog.Running running = log.begin(change);
    SubtreeChangeEvent event = new SubtreeChangeEvent();
    Ending ending = Ending.IN_THE_WAY;
    try {
      ending = make(change, new Paced(running, goesOn));
    } catch (CancellationException e) {
      LOG.debug("{} ended early: {}", change, e.getMessage());
    } finally {
      running.ended(ending);
      record(event, change, ending);
    }
    return running.entry();
  }

  private static void record(SubtreeChangeEvent event, PlannedChange change, Ending ending) {
    PlacedSubtree subtree = change.subtree();
    event.of(subtree.index());
    String kind = change.getClass().getSimpleName().toUpperCase(Locale.ROOT);
    event.ended(kind, change.reason().name(), subtree.kcl(), subtree.entries(), ending);
  }

  private Ending make(PlannedChange change, ShiftListener listener) throws TimeoutException {
    long kcl = change.subtree().kcl();
    if (change instanceof PlannedChange.Split split) {
      byte[] at = split.at();
      return at == null
          ? reshaping.split(kcl, change.subtree().entries(), split.shard(), listener)
          : reshaping.splitAt(kcl, at, split.shard(), listener);
    }
    if (change instanceof PlannedChange.Merge merge) {
      return reshaping.merge(kcl, merge.left(), listener);
    }
    return reshaping.move(kcl, ((PlannedChange.Move) change).shard(), listener);
  }

  /** Waits after each shift as long as it had to take. */
  private final class Paced implements ShiftListener {
    private final ChangeLog.Running running;
    private final BooleanSupplier goesOn;
    private long dueNanos = threads.nanoTime();

    Paced(ChangeLog.Running running, BooleanSupplier goesOn) {
      this.running = running;
      this.goesOn = goesOn;
    }

    @Override
    public void carried(int entries) {
      running.carried(entries);
      dueNanos += TimeUnit.SECONDS.toNanos(entries) / limits.movedEntriesPerSecond();
      long wait = dueNanos - threads.nanoTime();
      if (wait > 0) {
        threads.sleep(wait);
      }
      if (!goesOn.getAsBoolean()) {
        throw new CancellationException("somebody else decides now");
      }
    }
  }
}
