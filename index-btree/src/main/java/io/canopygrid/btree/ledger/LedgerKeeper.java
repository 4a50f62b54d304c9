package io.canopygrid.btree.ledger;

import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.RepeatedRounds;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node's part of the ledger in order: takes notice of the grid's time and advances it, and
 * drops records. {@link #start} makes it work on a thread of its own; {@link #round} is one step of
 * that, and is not to be called beside it.
 */
public final class LedgerKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerKeeper.class);

  private final GmuNode node;
  private final GridTime time;
  private final ForgottenCommits forgotten;
  private final ExpiredCommits expired;
  private final LedgerLimits limits;
  private final Runnable looks;
  private long sweptNanos;
  private final RepeatedRounds rounds;

  /**
   * The keeper of a node.
   *
   * @param looks takes notice of what else TOP says, in each round; does not block
   */
  public LedgerKeeper(
      GmuNode node,
      GridTime time,
      ForgottenCommits forgotten,
      LedgerLimits limits,
      Runnable looks) {
    this.node = node;
    this.time = time;
    this.forgotten = forgotten;
    this.expired = new ExpiredCommits(node, time, limits);
    this.limits = limits;
    this.looks = looks;
    this.sweptNanos = node.threads().nanoTime();
    this.rounds = new RepeatedRounds(node.threads(), "canopy-commits-" + node.self());
  }

  /** Works on a thread of its own until it is closed. */
  public void start() {
    rounds.start(
        this::round,
        () -> TimeUnit.MILLISECONDS.toNanos(limits.forgetMillis()),
        e -> LOG.debug("records of commits could not be kept in order", e));
  }

  /** One look at what there is to do; a chore that fails is done again later. */
  public void round() throws TimeoutException {
    looks.run();
    time.round();
    forgotten.dropWaiting();
    long nanos = node.threads().nanoTime();
    if (nanos - sweptNanos >= TimeUnit.MILLISECONDS.toNanos(limits.sweepMillis())) {
      sweptNanos = nanos;
      expired.sweep();
    }
  }

  @Override
  public void close() {
    rounds.close();
  }
}
