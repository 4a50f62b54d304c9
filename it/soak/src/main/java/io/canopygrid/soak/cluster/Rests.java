package io.canopygrid.soak.cluster;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The rests of a client between its transactions. Clients that work without a rest leave a small
 * machine no time for nodes that start, and a fault then lasts for as long as they keep it waiting.
 * A client works in bursts, so that clients meet each other all the same.
 */
final class Rests {
  /** The name of the system property of a node's process and of the process that starts it. */
  static final String PROPERTY = "canopy.it.restMillis";

  /** The mean rest for each transaction, in milliseconds; 0: none. */
  private static final int MILLIS = Integer.getInteger(PROPERTY, 0);

  private static final int BURST = 10;

  private Rests() {}

  /** The option of a JVM whose clients rest as long as those of this one. */
  static String option() {
    return "-D" + PROPERTY + "=" + MILLIS;
  }

  /** After one transaction in {@value #BURST}, on average: rests for that many. */
  static void afterTransaction(Random random) {
    if (MILLIS > 0 && random.nextInt(BURST) == 0) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(random.nextInt(2 * BURST * MILLIS));
      LockSupport.parkNanos(nanos);
    }
  }
}
