package io.canopygrid.btree.ledger;

import io.canopygrid.wire.CommitId;
import java.util.concurrent.TimeUnit;

/**
 * The ages of names and records, all in milliseconds of the grid's time.
 *
 * @param ageMillisMax the greatest age of a name that is accepted and whose commit can be prevented
 * @param aheadMillisMax how far a name may be ahead: the time of a client that stays connected gets
 *     ahead where the grid's own stood still
 * @param keptMillis the age of a name up to which its record is kept at least
 * @param advanceMillis the time from one advance of the grid's time to the next
 * @param sweepMillis the time from one search for old records to the next
 * @param forgetMillis the time from one look for records that can be dropped early to the next
 */
public record LedgerLimits(
    long ageMillisMax,
    long aheadMillisMax,
    long keptMillis,
    long advanceMillis,
    long sweepMillis,
    long forgetMillis) {
  /**
   * Names are accepted for ten minutes and a commit takes an hour at most; records are kept for two
   * hours.
   */
  public static final LedgerLimits DEFAULT =
      new LedgerLimits(
          CommitId.AGE_MILLIS_MAX,
          TimeUnit.DAYS.toMillis(1),
          TimeUnit.HOURS.toMillis(2),
          TimeUnit.MINUTES.toMillis(1),
          TimeUnit.MINUTES.toMillis(10),
          500);

  /** Checks that no name is accepted whose record would be dropped. */
  public LedgerLimits {
    if (ageMillisMax < 1 || keptMillis <= ageMillisMax || advanceMillis < 1) {
      throw new IllegalArgumentException(
          "records are kept for longer than names are accepted: "
              + keptMillis
              + ", "
              + ageMillisMax);
    }
  }
}
