package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.spi.NodeThreads;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of one simulated machine. With {@link SimulatedFault#SKEW} the wall clock is hours
 * off, runs fast or slow and is set again and again, and the other one runs a little fast or slow
 * and may jump ahead once; otherwise both show virtual time.
 */
public final class SimulatedClocks {
  /** The wall clock at the beginning of a run. */
  private static final long BEGIN_MILLIS = 1_700_000_000_000L;

  private final NodeThreads threads;
  private final long offMillis;
  private final double speed;
  private final long setMillis;
  private final long setEveryNanos;
  private final double drift;
  private final long jumpAtNanos;

  /** Clocks that show virtual time. */
  public SimulatedClocks(NodeThreads threads) {
    this.threads = threads;
    this.offMillis = 0;
    this.speed = 1;
    this.setMillis = 0;
    this.setEveryNanos = 1;
    this.drift = 1;
    this.jumpAtNanos = Long.MAX_VALUE;
  }

  /** Clocks that are wrong. */
  public SimulatedClocks(NodeThreads threads, SeededRandom random) {
    this.threads = threads;
    this.offMillis = TimeUnit.MINUTES.toMillis(random.between(-1_440, 1_440));
    this.speed = random.oneOf(0.5, 0.99, 1.01, 2);
    this.setMillis = TimeUnit.MINUTES.toMillis(random.oneOf(0, -180, 2, 180));
    this.setEveryNanos = TimeUnit.MILLISECONDS.toNanos(random.oneOf(3, 20));
    this.drift = random.oneOf(0.99, 1, 1.01);
    this.jumpAtNanos =
        random.chance(0.3) ? TimeUnit.MILLISECONDS.toNanos(random.between(5, 100)) : Long.MAX_VALUE;
  }

  /** The time since 1970, as the machine believes. */
  public long wallMillis() {
    long nanos = threads.nanoTime();
    long set = nanos / setEveryNanos % 2 == 0 ? 0 : setMillis;
    return BEGIN_MILLIS + offMillis + set + TimeUnit.NANOSECONDS.toMillis((long) (nanos * speed));
  }

  /** The time since the machine was started. */
  public long monotonicNanos() {
    long nanos = threads.nanoTime();
    long jumped = nanos >= jumpAtNanos ? TimeUnit.HOURS.toNanos(1) : 0;
    return (long) (nanos * drift) + jumped;
  }
}
