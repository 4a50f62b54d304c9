package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * One node becomes four and one again while clients work, and nothing is lost: after each step all
 * that was ever written is read from every node, and the indexes are checked.
 */
final class ScaleIT {
  private static final long SEED = Long.getLong("canopy.seed", 20_121_206L);
  private static final int SHARDS = 8;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private final long baseNanos = System.nanoTime();
  private int drills;

  @Test
  void fromOneNodeToFourAndBack() throws IOException, InterruptedException {
    assumeTrue(Boolean.getBoolean("canopy.scale"), "on demand: -Dcanopy.scale=true");
    Duration timeout = Duration.ofSeconds(5);
    try (Cluster cluster = Cluster.breakable(1, SHARDS, timeout, timeout, directory, baseNanos)) {
      for (int target : new int[] {2, 4, 2, 1}) {
        Drill drill = new Drill(cluster, directory, baseNanos, ++drills, SEED, "NONE");
        drill.begin();
        while (cluster.nodes().size() < target) {
          drill.joined(cluster.add());
        }
        while (cluster.nodes().size() > target) {
          // The oldest: what it leads is handed on each time.
          NodeHandle leaver = cluster.nodes().get(0);
          drill.leaves(leaver);
          leaver.close();
          cluster.forget(leaver);
        }
        assertThat(drill.end()).as("what is wrong with %d nodes", target).isEmpty();
      }
    }
  }
}
