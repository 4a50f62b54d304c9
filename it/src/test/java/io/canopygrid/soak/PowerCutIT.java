package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.Durability;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import io.canopygrid.soak.power.PowerRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes whose disks are forced lose their power under load, all at once or one alone, and start
 * again. No commit that was told is lost, and the histories of all nodes that ever lived have no
 * anomaly.
 */
final class PowerCutIT {
  private static final int CUTS = Integer.getInteger("canopy.power.cuts", 2);
  private static final long SEED = Long.getLong("canopy.power.seed", 1);
  private static final Durability DURABILITY =
      Durability.valueOf(System.getProperty("canopy.power.durability", "FSYNC"));

  private static final int NODES = 3;
  private static final int ENTRIES = 100;
  private static final int LOAD_MILLIS_MAX = 4_000;
  private static final int START_MILLIS_MAX = 6_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private final Random random = new Random(SEED);

  @BeforeAll
  static void powerCanBeCut() {
    String whyNot = PowerRecords.whyNot();
    assumeTrue(whyNot.isEmpty(), whyNot);
  }

  @Test
  void nothingToldIsLost() throws IOException, InterruptedException {
    PowerRecords power = power();
    long baseNanos = System.nanoTime();
    try (Cluster cluster = cluster(power, baseNanos)) {
      Drill drill = new Drill(cluster, directory, baseNanos, 1, SEED, "NONE");
      drill.begin();
      Outage outage = drill.outage(random);
      for (int cut = 0; cut < CUTS; cut++) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LOAD_MILLIS_MAX));
        switch (cut % 3) {
          case 0 -> cutAll(cluster, outage, power);
          case 1 -> cutOne(cluster, drill, power);
          default -> {
            cutAll(cluster, outage, power);
            outage.beginToStart(NODES);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(START_MILLIS_MAX));
            cutAll(cluster, outage, power);
          }
        }
        if (cluster.nodes().isEmpty()) {
          outage.startAll(NODES);
        }
      }
      assertThat(drill.end()).as("what is wrong").isEmpty();
    }
  }

  /** Else what is said of forces here could be wrong, and the test above pass all the same. */
  @Test
  void disksThatSayTheyHaveWhatTheyLoseAreFound() throws IOException {
    PowerRecords power = power();
    try (Cluster cluster = cluster(power, System.nanoTime())) {
      fill(cluster, "forced");
      power.disksLie();
      fill(cluster, "lost");
      for (NodeHandle node : cluster.nodes()) {
        node.kill();
        power.cutToWhatWasForced(Integer.toString(node.port()));
        cluster.forget(node);
      }
      cluster.joinAll(List.of(cluster.prepare(), cluster.prepare(), cluster.prepare()));
      assertThat(last(cluster, "forced")).isTrue();
      assertThat(last(cluster, "lost")).isFalse();
    }
  }

  private static void fill(Cluster cluster, String index) {
    Command fill = Command.of("fill").with("index", index).with("entries", ENTRIES);
    cluster.ask(0, fill, Duration.ofMinutes(1));
  }

  /** Whether the last one of the entries is there. */
  private static boolean last(Cluster cluster, String index) {
    Command get =
        Command.of("touch").with("how", "get").with("index", index).with("key", ENTRIES - 1);
    return Boolean.parseBoolean(cluster.ask(0, get, Duration.ofMinutes(1)).text("found"));
  }

  private PowerRecords power() throws IOException {
    return PowerRecords.create(Cluster.disks(directory), directory.resolve("power"));
  }

  private Cluster cluster(PowerRecords power, long baseNanos) throws IOException {
    return Cluster.stored(NODES, 8, DURABILITY, TIMEOUT, directory, baseNanos, power.environment());
  }

  private void cutAll(Cluster cluster, Outage outage, PowerRecords power) throws IOException {
    List<NodeHandle> all = cluster.nodes();
    outage.killAll();
    for (NodeHandle node : all) {
      cut(node, power);
    }
  }

  /** The others have the only copies of some shards until it is back. */
  private void cutOne(Cluster cluster, Drill drill, PowerRecords power)
      throws IOException, InterruptedException {
    assertThat(drill.awaitWhole()).as("whole before another node loses its power").isTrue();
    NodeHandle node = cluster.nodes().get(random.nextInt(NODES));
    node.kill();
    drill.died(node);
    cut(node, power);
    TimeUnit.MILLISECONDS.sleep(random.nextInt(LOAD_MILLIS_MAX));
    drill.joined(cluster.add());
  }

  private void cut(NodeHandle node, PowerRecords power) throws IOException {
    System.out.println(
        node.name() + " without power: " + power.cut(Integer.toString(node.port()), random));
  }
}
