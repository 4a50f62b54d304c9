package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries the clock of a handle from each transaction to the next, within one grid: the clock of
 * another grid means nothing. Thread-safe.
 *
 * <p>After a power cut the grid may lack commits that the session has seen. The next transaction is
 * refused then ({@link ErrorCode#COMMITS_LOST}), and the session goes on without that part of its
 * clock: without all numbers up to a bound, which the refusal names. Transactions that began before
 * may end later and still know them, and other transactions on the same connection have heard them;
 * so such numbers are left out from then on. This costs the session nothing, as every transaction
 * sees what the grid has kept of them.
 */
public final class Session {
  /** The fact of a {@link ErrorCode#COMMITS_LOST}: up to which number clocks are forgotten. */
  public static final String LOST_UP_TO = "upTo";

  private volatile Past past = new Past(null, VectorClock.ZERO, VectorClock.ZERO, 0, false);

  /**
   * All that the transactions in one grid have seen.
   *
   * @param grid null: it has no id, as in a simulation
   * @param heard the join of all clocks
   * @param clock that without the numbers up to {@code lostUpTo}
   * @param lostUpTo 0: no power cut has taken anything that was seen
   * @param untold whether one has, as is known here, and no transaction was refused for it
   */
  private record Past(
      @Nullable GridId grid, VectorClock heard, VectorClock clock, long lostUpTo, boolean untold) {
    static Past of(@Nullable GridId grid, VectorClock clock, long lostUpTo) {
      return new Past(grid, clock, clock, lostUpTo, false);
    }

    Past joined(VectorClock more) {
      VectorClock all = heard.join(more);
      return lostUpTo == 0
          ? of(grid, all, 0)
          : new Past(grid, all, clock.join(more.above(lostUpTo)), lostUpTo, false);
    }

    Past without(long upTo) {
      return new Past(grid, heard, clock.above(upTo), Math.max(lostUpTo, upTo), false);
    }
  }

  /** From now on the transactions are in this grid; what was seen in another one is forgotten. */
  public synchronized void enter(GridId grid) {
    Past before = past;
    if (!grid.equals(before.grid)) {
      VectorClock kept = before.grid == null ? before.clock : VectorClock.ZERO;
      past = Past.of(grid, kept, 0);
    }
  }

  /** The clock of all that the transactions have seen. */
  public VectorClock clock() {
    return past.clock;
  }

  /** A token of it. */
  public CausalToken token() {
    Past now = past;
    return CausalToken.of(now.grid, now.clock);
  }

  /**
   * The beginning of the next transaction.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} where the token of the options is of
   *     another grid
   */
  public Begin begin(TransactionOptions options, Mode mode, long deadlineNanos) {
    Past now = past;
    options.after().checkOf(now.grid);
    return new Begin(
        mode,
        now.clock,
        options.after().clock(),
        deadlineNanos,
        options.label(),
        options.readFrom(),
        options.snapshot(),
        now.grid,
        "");
  }

  /** A transaction has seen this. Most have seen nothing new, and pass without the lock. */
  public void saw(VectorClock clock) {
    saw(past.grid, clock);
  }

  /** A transaction that began in a grid has seen this there. */
  public void saw(@Nullable GridId grid, VectorClock clock) {
    Past now = past;
    if (!clock.precedesOrEquals(now.heard) || !Objects.equals(grid, now.grid)) {
      join(grid, clock);
    }
  }

  /** Something that is no transaction has seen what a token stands for. */
  public void saw(CausalToken token) {
    saw(token.grid().orElse(null), token.clock());
  }

  private synchronized void join(@Nullable GridId grid, VectorClock clock) {
    if (Objects.equals(grid, past.grid) && !past.untold) {
      past = past.joined(clock);
    }
  }

  /**
   * Something that is no transaction of a caller was refused with this clock of the session's. As a
   * number of the new grid would hide a lost one, nothing is added until a transaction is told.
   */
  public synchronized void isLost(VectorClock clock) {
    Past now = past;
    if (clock.precedesOrEquals(now.clock)) {
      past = new Past(now.grid, now.heard, now.clock, now.lostUpTo, true);
    }
  }

  /**
   * A transaction has failed. Where it was refused because a power cut may have taken what it was
   * to begin after, and that was this session's clock, the session has been told: it forgets what
   * may be lost. Where it was, or may have been, that of a token that the caller passed, the
   * session keeps its own clock, and hears of nothing more up to the bound. If its clock is lost
   * too, the next transaction without a token is told.
   *
   * @param grid the one in which it began
   * @param after the clock after which it was to begin
   */
  public void failed(@Nullable GridId grid, VectorClock after, CanopyException e) {
    if (e.code() == ErrorCode.COMMITS_LOST) {
      forget(grid, after, lostUpTo(e));
    }
  }

  /** The bound that an error names; 0: none, as no server does that keeps to the protocol. */
  private static long lostUpTo(CanopyException e) {
    String upTo = e.facts().get(LOST_UP_TO);
    try {
      return upTo == null ? 0 : Long.parseLong(upTo);
    } catch (NumberFormatException notOne) {
      return 0;
    }
  }

  private synchronized void forget(@Nullable GridId grid, VectorClock after, long upTo) {
    Past now = past;
    if (!Objects.equals(grid, now.grid)) {
      return;
    }
    if (!after.precedesOrEquals(now.clock)) {
      long lost = Math.max(now.lostUpTo, upTo);
      past = new Past(grid, now.heard, now.clock, lost, now.untold);
    } else if (upTo > 0) {
      past = now.without(upTo);
    } else {
      past = Past.of(grid, VectorClock.ZERO, now.lostUpTo);
    }
  }
}
