package io.canopygrid.btree.serve;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.crown.GridEntry;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one entry of TOP once per second. Every transaction needs TOP sooner or later, so a node
 * that gets no answer from it is of no use to clients, whatever it knows of its own shards.
 * Thread-safe.
 */
final class TopPulse implements NodeWatch {
  private static final Logger LOG = LoggerFactory.getLogger(TopPulse.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long CLOSE_MILLIS = 100;

  private final GmuNode node;
  private final NodeThreads.Worker worker;
  private volatile boolean answered;

  private TopPulse(GmuNode node) {
    this.node = node;
    this.worker = node.threads().worker("canopy-pulse-" + node.self(), 1);
  }

  /** Asks once, and then again and again on a thread of its own. */
  static TopPulse start(GmuNode node) {
    TopPulse pulse = new TopPulse(node);
    pulse.round();
    pulse.worker.repeat(
        pulse::round, () -> PAUSE_NANOS, e -> LOG.debug("TOP could not be asked", e));
    return pulse;
  }

  /** Whether TOP answered the last time. */
  boolean isAnswered() {
    return answered;
  }

  private void round() {
    boolean now = asked();
    if (now != answered) {
      LOG.debug("{}: TOP {}", node.self(), now ? "answers" : "does not answer");
    }
    answered = now;
  }

  private boolean asked() {
    try {
      GmuTransaction transaction =
          node.begin(VectorClock.ZERO, node.threads().nanoTime() + PATIENCE_NANOS);
      try {
        return transaction.read(new ReadQuery.Get(GridEntry.KEY)) instanceof ReadAnswer.Got;
      } finally {
        transaction.end();
      }
    } catch (TimeoutException | CanopyException e) {
      return false;
    } catch (RuntimeException e) {
      LOG.debug("TOP could not be asked", Failures.ofNode(e, null));
      return false;
    }
  }

  @Override
  public void close() {
    worker.close(CLOSE_MILLIS);
  }
}
