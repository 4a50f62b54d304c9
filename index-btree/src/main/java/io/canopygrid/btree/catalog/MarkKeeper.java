package io.canopygrid.btree.catalog;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.RepeatedRounds;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks the grid's state again and again, so that it can be read later. The first owner of TOP does
 * it for all. Where nothing is to be kept, it drops what is left of former marks, which would keep
 * all versions since then.
 *
 * <p>{@link #start} makes it work on a thread of its own; {@link #round} is one step of that, and
 * is not to be called beside it.
 */
public final class MarkKeeper implements AutoCloseable {
  /** About so many marks are kept: each is a clock that all nodes have. */
  private static final int MARKS = 1_000;

  private static final long STEP_MILLIS_MIN = 1_000;
  private static final long PAUSE_MILLIS = 200;
  private static final Logger LOG = LoggerFactory.getLogger(MarkKeeper.class);

  private final GmuNode node;
  private final TimeMarks marks;
  private final long retentionMillis;
  private final long stepNanos;
  private final RepeatedRounds rounds;
  private long markedNanos;

  /**
   * The keeper of a node.
   *
   * @param retentionMillis for how long a state is kept; 0: none is
   * @param stepMillis the time between two marks
   */
  public MarkKeeper(GmuNode node, TimeMarks marks, long retentionMillis, long stepMillis) {
    this.node = node;
    this.marks = marks;
    this.retentionMillis = retentionMillis;
    this.stepNanos = TimeUnit.MILLISECONDS.toNanos(stepMillis);
    this.markedNanos = node.threads().nanoTime() - stepNanos;
    this.rounds = new RepeatedRounds(node.threads(), "canopy-marks-" + node.self());
  }

  /** The time between two marks, in milliseconds, where states are kept for so long. */
  public static long stepMillis(long retentionMillis) {
    return Math.max(STEP_MILLIS_MIN, retentionMillis / MARKS);
  }

  /** Works on a thread of its own until it is closed. */
  public void start() {
    rounds.start(
        this::round,
        () -> TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS),
        e -> LOG.debug("the grid's state could not be marked", e));
  }

  /**
   * One look at what there is to do; what fails is done again later.
   *
   * @return whether the present was marked
   */
  public boolean round() {
    if (!isFirst()) {
      return false;
    }
    if (retentionMillis == 0) {
      dropAll();
      return false;
    }
    long now = node.threads().nanoTime();
    if (now - markedNanos < stepNanos) {
      return false;
    }
    marks.mark(retentionMillis);
    markedNanos = now;
    return true;
  }

  private void dropAll() {
    if (marks.times().isEmpty()) {
      return;
    }
    LOG.info("the states of the past that the grid has kept are dropped: cluster.retention is 0");
    while (marks.dropSome() && !rounds.isClosed()) {
      // one transaction at a time
    }
  }

  private boolean isFirst() {
    Topology topology = node.topology();
    List<NodeId> owners = topology.shard(topology.top()).owners();
    return !owners.isEmpty() && owners.get(0).equals(node.self());
  }

  @Override
  public void close() {
    rounds.close();
  }
}
