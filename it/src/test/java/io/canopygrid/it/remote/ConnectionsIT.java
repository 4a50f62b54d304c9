package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.it.metrics.ServerMetrics;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many connections to one server: its memory stays flat, and it has no thread for each of them.
 * {@code -Dcanopy.it.idle=1000 -Dcanopy.it.active=200 -Dcanopy.it.seconds=600} is the long form.
 */
final class ConnectionsIT {
  private static final int IDLE = Integer.getInteger("canopy.it.idle", 200);
  private static final int ACTIVE = Integer.getInteger("canopy.it.active", 40);
  private static final int SECONDS = Integer.getInteger("canopy.it.seconds", 15);
  private static final long SEED = Long.getLong("canopy.seed", 1);

  private static final int SAMPLES = 15;

  /** Workers of the server, and threads that the JVM begins and ends as it likes. */
  private static final int THREADS_MORE_MAX = 64 + 8;

  private static final double GROWTH_MAX = 1.15;
  private static final long GROWTH_BYTES_MIN = 6 << 20;

  /** The server at one moment, bytes after a collection. */
  private record Sample(long heap, long direct, long threads, long connections) {}

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void memoryIsFlatAndNoThreadBelongsToAConnection() throws Exception {
    try (LocalCluster cluster = LocalCluster.startServers(1, "256m", Narrator.onStandardError())) {
      RemoteCanopy db = (RemoteCanopy) cluster.canopy();
      db.index("paced", Codec.int64(), Codec.string());
      int index = db.describe("paced").index();
      Sample before = sample(cluster);
      List<Sample> samples = new ArrayList<>();
      long done;
      int late;
      try (PacedClients clients = new PacedClients(cluster.address(0), IDLE, ACTIVE, index, SEED)) {
        for (int i = 0; i < SAMPLES; i++) {
          PacedClients.pause(TimeUnit.SECONDS.toMillis(SECONDS) / SAMPLES);
          samples.add(sample(cluster));
          assertThat(clients.failures()).as("seed=%d", SEED).isEmpty();
        }
        assertThat(clients.open()).isEqualTo(IDLE + ACTIVE);
        done = clients.operations();
        late = clients.late();
      }
      report(before, samples, done, late);
      assertThat(done).isGreaterThan((long) ACTIVE * SECONDS / 5);
      check(before, samples);
      assertConnectionsEnd(cluster);
    }
  }

  private static void check(Sample before, List<Sample> samples) {
    assertThat(samples)
        .allSatisfy(sample -> {
          assertThat(sample.connections()).isEqualTo(before.connections() + IDLE + ACTIVE);
          assertThat(sample.threads()).isLessThanOrEqualTo(before.threads() + THREADS_MORE_MAX);
        });
    // A leak lifts every sample; garbage since the collection lifts one that came late.
    assertFlat("live heap", samples, third -> heaps(third).min().orElseThrow());
    // Buffers stay when they are used no more: the first samples are from before there are all.
    assertFlat("direct memory", samples, third -> directs(third).max().orElseThrow());
  }

  private static LongStream heaps(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::heap);
  }

  private static LongStream directs(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::direct);
  }

  /** Compares the bytes of the last third with those of the first. */
  private static void assertFlat(
      String what, List<Sample> samples, ToLongFunction<List<Sample>> bytes) {
    long first = bytes.applyAsLong(samples.subList(0, SAMPLES / 3));
    long last = bytes.applyAsLong(samples.subList(SAMPLES - SAMPLES / 3, SAMPLES));
    assertThat(last)
        .as("%s: %s", what, samples)
        .isLessThanOrEqualTo((long) (first * GROWTH_MAX) + GROWTH_BYTES_MIN);
  }

  private static void assertConnectionsEnd(LocalCluster cluster)
      throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (sample(cluster).connections() > 1) {
      assertThat(System.nanoTime()).as("connections stay").isLessThan(deadlineNanos);
    }
  }

  private static Sample sample(LocalCluster cluster) throws IOException, InterruptedException {
    collect(cluster.pid(0));
    ServerMetrics metrics = ServerMetrics.of(cluster.address(0));
    return new Sample(
        metrics.sum("jvm_memory_used_bytes", "area=\"heap\""),
        metrics.sum("jvm_buffer_memory_used_bytes", "id=\"direct\"")
            + metrics.sum("netty_allocator_memory_used", "memory_type=\"direct\""),
        metrics.sum("jvm_threads_live_threads", ""),
        metrics.sum("canopy_clients_connections", ""));
  }

  /** Collects all garbage of a JVM of this machine. */
  private static void collect(long pid) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("jcmd " + pid + " GC.run failed: " + process.exitValue());
    }
  }

  private static void report(Sample before, List<Sample> samples, long done, int late) {
    System.out.printf(
        "%d idle and %d active connections for %d s: %d operations (%d put off), load %.1f%n"
            + "before: %s%n",
        IDLE,
        ACTIVE,
        SECONDS,
        done,
        late,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        before);
    samples.forEach(System.out::println);
  }
}
