package io.canopygrid.soak;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** All nodes of a cluster with disks go, and come back where their disks are. */
final class Outage {
  private final Cluster cluster;
  private final Members members;
  private final Random random;

  /**
   * @param random decides in which order nodes come back
   */
  Outage(Cluster cluster, Members members, Random random) {
    this.cluster = cluster;
    this.members = members;
    this.random = random;
  }

  /** Kills all nodes that there are. */
  void killAll() throws IOException {
    List<NodeHandle> all = cluster.nodes();
    for (NodeHandle node : all) {
      node.kill();
    }
    all.forEach(members::died);
  }

  /** Starts nodes, which join at the same time; then clients start there. */
  List<NodeHandle> startAll(int nodes) throws IOException {
    List<NodeHandle> prepared = prepare(nodes);
    cluster.joinAll(prepared);
    prepared.forEach(members::joined);
    return prepared;
  }

  /** Starts nodes, lets them join, and waits for nothing. */
  void beginToStart(int nodes) throws IOException {
    cluster.beginToJoin(prepare(nodes));
  }

  private List<NodeHandle> prepare(int nodes) throws IOException {
    List<NodeHandle> prepared = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      prepared.add(cluster.prepare());
    }
    Collections.shuffle(prepared, random);
    return prepared;
  }
}
