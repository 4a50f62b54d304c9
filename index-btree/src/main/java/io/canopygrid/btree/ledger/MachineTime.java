package io.canopygrid.btree.ledger;

import java.util.function.LongSupplier;

/**
 * The two clocks of a machine. Neither is believed as to what time it is elsewhere.
 *
 * @param wallMillis the time since 1970, which people set and which jumps
 * @param monotonicNanos counts up from some origin
 */
public record MachineTime(LongSupplier wallMillis, LongSupplier monotonicNanos) {
  /** The clocks of this machine. */
  public static final MachineTime OWN =
      new MachineTime(System::currentTimeMillis, System::nanoTime);
}
