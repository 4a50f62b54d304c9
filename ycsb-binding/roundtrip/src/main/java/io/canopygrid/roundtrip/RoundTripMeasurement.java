package io.canopygrid.roundtrip;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** Asks on each layer in turn, one question at a time. Confined to a thread. */
final class RoundTripMeasurement {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(100);
  private static final double NANOS_PER_MICRO = 1e3;

  private final Map<NetworkLayer, Asker> askers;
  private final MessageSizes sizes;
  private final DoubleSupplier cpuSeconds;
  private final LongSupplier remoteRequests;
  private final Histogram nanos = new Histogram(NANOS_MAX, 3);

  /**
   * Prepares.
   *
   * @param askers of all layers
   * @param cpuSeconds processor time so far of both JVMs
   * @param remoteRequests that this JVM's node has counted so far
   */
  RoundTripMeasurement(
      Map<NetworkLayer, Asker> askers,
      MessageSizes sizes,
      DoubleSupplier cpuSeconds,
      LongSupplier remoteRequests) {
    this.askers = askers;
    this.sizes = sizes;
    this.cpuSeconds = cpuSeconds;
    this.remoteRequests = remoteRequests;
  }

  /**
   * Asks on one layer for so long.
   *
   * @throws Exception where there was no answer, or a wrong one
   */
  Result measure(NetworkLayer layer, int round, double seconds) throws Exception {
    Asker asker = askers.get(layer);
    if (asker == null) {
      throw new IllegalArgumentException("no JVM asks on " + layer);
    }
    nanos.reset();
    double cpuBefore = cpuSeconds.getAsDouble();
    long requestsBefore = remoteRequests.getAsLong();
    long began = System.nanoTime();
    long limit = (long) (seconds * 1e9);
    long now = began;
    do {
      asker.ask();
      long end = System.nanoTime();
      nanos.recordValue(Math.min(end - now, NANOS_MAX));
      now = end;
    } while (now - began < limit);
    return new Result(
        layer,
        round,
        sizes,
        nanos.getTotalCount(),
        (now - began) / 1e9,
        cpuSeconds.getAsDouble() - cpuBefore,
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        remoteRequests.getAsLong() - requestsBefore,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
