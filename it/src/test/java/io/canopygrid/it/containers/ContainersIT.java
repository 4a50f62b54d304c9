package io.canopygrid.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.it.cluster.Cluster;
import io.canopygrid.it.cluster.NodeHandle;
import io.canopygrid.it.soak.Drill;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Clients of all nodes work while something is done to a container, and saw nothing wrong. */
@Tag("containers")
final class ContainersIT {
  private static final long SEED = Long.getLong("canopy.seed", 20_121_206L);
  private static final int SHARDS = 8;
  private static final Duration FAILURE_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(5);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private ContainerSite site;
  private Cluster cluster;
  private Drill drill;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    long baseNanos = System.nanoTime();
    site = new ContainerSite(directory);
    cluster =
        Cluster.at(site, 3, SHARDS, FAILURE_TIMEOUT, TRANSACTION_TIMEOUT, directory, baseNanos);
    drill = new Drill(cluster, directory, baseNanos, SEED, "NONE");
    drill.begin();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (site != null) {
      site.close();
    }
  }

  private void check() throws IOException, InterruptedException {
    assertThat(drill.end()).as("what is wrong").isEmpty();
  }

  @Test
  void aContainerIsKilledAndAnotherOneJoins() throws IOException, InterruptedException {
    NodeHandle victim = cluster.nodes().get(0);
    victim.kill();
    drill.died(victim);
    TimeUnit.SECONDS.sleep(2);
    drill.joined(cluster.add());
    check();
  }

  @Test
  void aContainerIsPausedForLongerThanTheFailureTimeout() throws IOException, InterruptedException {
    NodeHandle victim = cluster.nodes().get(1);
    victim.pause();
    TimeUnit.SECONDS.sleep(8);
    victim.resume();
    check();
  }

  @Test
  void aContainerIsOffTheNetwork() throws IOException, InterruptedException {
    NodeHandle victim = cluster.nodes().get(2);
    site.disconnect(victim);
    TimeUnit.SECONDS.sleep(8);
    site.connect(victim);
    check();
  }

  @Test
  void aContainerJoinsAndAnotherOneLeaves() throws IOException, InterruptedException {
    drill.joined(cluster.add());
    NodeHandle leaver = cluster.nodes().get(0);
    drill.leaves(leaver);
    leaver.close();
    cluster.forget(leaver);
    check();
  }
}
