package io.canopygrid.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.soak.Drill;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of all nodes work while something is done to a container, and saw nothing wrong. One
 * cluster goes through all of it, as to start one is what takes the time; each scenario has its own
 * indexes.
 */
@Tag("containers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ContainersIT {
  private static final long SEED = Long.getLong("canopy.seed", 20_121_206L);
  private static final int SHARDS = 8;
  private static final Duration FAILURE_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(5);

  private final long baseNanos = System.nanoTime();
  private Path directory;
  private ContainerSite site;
  private Cluster cluster;
  private int drills;
  private Drill drill;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path shared) throws IOException {
    directory = shared;
    site = new ContainerSite(directory);
    cluster =
        Cluster.at(site, 3, SHARDS, FAILURE_TIMEOUT, TRANSACTION_TIMEOUT, directory, baseNanos);
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (site != null) {
      site.close();
    }
  }

  @BeforeEach
  void clientsBegin() throws IOException, InterruptedException {
    drill = new Drill(cluster, directory, baseNanos, ++drills, SEED, "NONE");
    drill.begin();
  }

  private void check() throws IOException, InterruptedException {
    assertThat(drill.end()).as("what is wrong").isEmpty();
  }

  @Test
  void aContainerIsKilledAndAnotherOneJoins() throws IOException, InterruptedException {
    NodeHandle victim = cluster.nodes().get(0);
    victim.kill();
    drill.died(victim);
    TimeUnit.SECONDS.sleep(1);
    drill.joined(cluster.add());
    check();
  }

  @Test
  void aContainerIsPausedForLongerThanTheFailureTimeout() throws IOException, InterruptedException {
    NodeHandle victim = cluster.nodes().get(1);
    victim.pause();
    TimeUnit.SECONDS.sleep(6);
    victim.resume();
    check();
  }

  @Test
  void aContainerIsOffTheNetwork() throws IOException, InterruptedException {
    NodeHandle victim = cluster.nodes().get(2);
    site.disconnect(victim);
    TimeUnit.SECONDS.sleep(6);
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
