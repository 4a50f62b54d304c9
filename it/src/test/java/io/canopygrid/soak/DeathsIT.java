package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.soak.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All nodes of a grid with disks are killed with {@code kill -9} under load, and started again. No
 * commit that was told is lost, and the histories of all nodes that ever lived have no anomaly.
 */
final class DeathsIT {
  private static final int DEATHS = Integer.getInteger("canopy.deaths.all", 1);
  private static final long SEED = Long.getLong("canopy.deaths.seed", 1);
  private static final int LOAD_MILLIS_MAX = 4_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @ParameterizedTest
  @EnumSource
  void nothingToldIsLost(Durability durability) throws IOException, InterruptedException {
    Random random = new Random(SEED);
    long baseNanos = System.nanoTime();
    try (Cluster cluster = Cluster.stored(3, 8, durability, TIMEOUT, directory, baseNanos)) {
      Drill drill = new Drill(cluster, directory, baseNanos, 1, SEED, "NONE");
      drill.begin();
      Outage outage = drill.outage(random);
      for (int death = 0; death < DEATHS; death++) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LOAD_MILLIS_MAX));
        outage.killAll();
        outage.startAll(3);
      }
      assertThat(drill.end()).as("what is wrong").isEmpty();
    }
  }
}
