package io.canopygrid.soak;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A round of the soak whose faults its caller makes: clients work from {@link #begin()} on, and
 * what they saw is checked at the {@link #end()}. Confined to a thread.
 */
public final class Drill {
  private final Cluster cluster;
  private final Round round;

  /**
   * Creates the drill of a cluster that has started.
   *
   * @param directory exists; gets the histories
   * @param baseNanos as the cluster's
   * @param number of all drills of that cluster, from 1 on: each has its own indexes
   * @param plant what clients do wrong on purpose, by its name, to see that it is found; {@code
   *     NONE}
   */
  public Drill(
      Cluster cluster, Path directory, long baseNanos, int number, long seed, String plant) {
    this.cluster = cluster;
    this.round =
        new Round(cluster, directory, baseNanos, new ArrayList<>(), number, seed, "drill", plant);
  }

  /** Starts clients at all nodes. */
  public void begin() throws IOException, InterruptedException {
    round.begin();
  }

  /** Clients start at a node that has joined. */
  public void joined(NodeHandle node) {
    round.members().joined(node);
  }

  /** Clients end at a node that is about to leave. */
  public void leaves(NodeHandle node) {
    round.members().leaves(node);
  }

  /** A node was killed. */
  public void died(NodeHandle node) {
    cluster.forget(node);
  }

  /**
   * All nodes go, and come back, as often as its caller likes.
   *
   * @param random decides in which order nodes come back
   */
  Outage outage(Random random) {
    return new Outage(cluster, round.members(), random);
  }

  /** Waits until the cluster is whole; false: it does not become whole. */
  boolean awaitWhole() throws InterruptedException {
    return round.awaitWhole();
  }

  /**
   * Waits until the cluster is whole, and checks everything.
   *
   * @return what is wrong, in words
   */
  public List<String> end() throws IOException, InterruptedException {
    round.awaitWhole();
    return round.end(false).wrong();
  }
}
