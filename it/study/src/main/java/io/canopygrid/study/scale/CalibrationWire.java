package io.canopygrid.study.scale;

import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.simulation.TimedCosts;
import io.canopygrid.gmu.simulation.TimedWire;
import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Measures, while a simulation runs, what its messages really take: their bytes' coding and the
 * protocol's step.
 */
final class CalibrationWire implements TimedWire {
  private static final long NANOS_MAX = 10_000_000_000L;

  private final Map<String, Histogram> coding = new TreeMap<>();
  private final Map<String, Histogram> steps = new TreeMap<>();

  @Override
  public Message carry(Message message) {
    long start = System.nanoTime();
    ByteBuffer encoded = MessageCodec.encode(message);
    Message decoded =
        MessageCodec.decode(
            encoded.array(), encoded.arrayOffset() + encoded.position(), encoded.remaining());
    record(coding, message, start);
    return decoded;
  }

  @Override
  public void deliver(Message message, Runnable step) {
    long start = System.nanoTime();
    step.run();
    record(steps, message, start);
  }

  private static void record(Map<String, Histogram> times, Message message, long start) {
    times
        .computeIfAbsent(TimedCosts.kind(message), kind -> new Histogram(NANOS_MAX, 3))
        .recordValue(Math.min(System.nanoTime() - start, NANOS_MAX));
  }

  /** Forgets what was measured so far. */
  void clear() {
    coding.clear();
    steps.clear();
  }

  /** The median of coding and step together, in nanoseconds, by kind of message. */
  Map<String, Long> medians() {
    Map<String, Long> medians = new TreeMap<>();
    steps.forEach((kind, times) -> {
      Histogram bytes = coding.get(kind);
      long coded = bytes == null ? 0 : bytes.getValueAtPercentile(50);
      medians.put(kind, coded + times.getValueAtPercentile(50));
    });
    return medians;
  }
}
