package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All interleavings of a few calls of {@link RunningTransactions}, tried by Lincheck. */
@Tag("model")
final class RunningTransactionsModelTest {
  private static final int ITERATIONS = 10;
  private static final int INVOCATIONS = 100;

  /** The lowest clock is looked for in 64 parts, one after the other. */
  private static final int LOOP_MAX = 200;

  @Test
  void aTransactionNeverRunsBelowTheLowestClockThatWasFound() {
    check(Beginning.class);
  }

  @Test
  void aTransactionEndsOnce() {
    check(Ending.class);
  }

  private static void check(Class<?> model) {
    new ModelCheckingOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(INVOCATIONS)
        .threads(2)
        .actorsPerThread(3)
        .loopBound(LOOP_MAX)
        .check(model);
    new StressOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(INVOCATIONS)
        .threads(2)
        .actorsPerThread(3)
        .check(model);
  }

  /**
   * Transactions begin while the floor rises and the lowest clock in use is looked for. One by one
   * every operation returns true; so one that returns false in some interleaving is reported.
   */
  public static final class Beginning {
    private final HorizonTracker horizon = new HorizonTracker();
    private final RunningTransactions running = new RunningTransactions();
    private long floor;

    /** The lowest clock in use that was found last. */
    private volatile long lowest;

    /** Whether a transaction is never below the lowest clock that was found. */
    @Operation
    public boolean run() {
      Begun begun = running.begin(VectorClock.ZERO, horizon::floor);
      long clock = begun.clock().get(0);
      boolean held = lowest <= clock;
      held &= lowest <= clock;
      return running.tryEnd(begun.transaction()) && held;
    }

    /** Raises the floor and looks for the lowest clock in use, as a horizon report does. */
    @Operation(nonParallelGroup = "protocol")
    public boolean report() {
      floor++;
      horizon.raiseFloor(VectorClock.ZERO.with(0, floor));
      lowest = running.meet(horizon.floor()).get(0);
      return lowest <= floor;
    }
  }

  /** Two transactions that have begun: the caller and the protocol may end each. */
  @Param(name = "which", gen = IntGen.class, conf = "0:1")
  public static final class Ending {
    private final RunningTransactions running = new RunningTransactions();
    private final long[] transactions = {
      running.begin(VectorClock.ZERO, true).transaction(),
      running.begin(VectorClock.ZERO, true).transaction()
    };

    /** The caller ends one that has asked nothing of the protocol. */
    @Operation
    public boolean tryEnd(int which) {
      return running.tryEnd(transactions[which]);
    }

    /** One asks something of the protocol. */
    @Operation(nonParallelGroup = "protocol")
    public boolean enter(int which) {
      return running.enter(transactions[which], VectorClock.ZERO, RunningTransactions.NONE);
    }

    /** The protocol ends one. */
    @Operation(nonParallelGroup = "protocol")
    public void end(int which) {
      running.end(transactions[which]);
    }

    /** The number of transactions that run. */
    @Operation(nonParallelGroup = "protocol")
    public int size() {
      return running.size();
    }
  }
}
