package io.canopygrid.soak;

import io.canopygrid.history.HistoryWriter;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import io.canopygrid.soak.power.PowerRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Does one fault after the other to a cluster, and undoes each. Confined to a thread.
 *
 * <p>A fault is over when the cluster has as many nodes as before; whether they have found together
 * again is for {@link Members#awaitWhole} to say.
 */
final class Nemesis {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int DELAY_MILLIS = 50;
  private static final int LOSS_PERCENT_MAX = 20;

  /** The pauses: some shorter and some longer than it takes to be taken for dead. */
  private static final int[] PAUSE_SECONDS = {1, 2, 5, 10, 30};

  private final Cluster cluster;
  private final Members members;
  private final Random random;
  private final HistoryWriter diary;
  private final @Nullable PowerRecords power;
  private final Outage outage;

  /**
   * @param power what the nodes' disks were forced to take; null: there are no power cuts
   */
  Nemesis(
      Cluster cluster,
      Members members,
      Random random,
      HistoryWriter diary,
      @Nullable PowerRecords power) {
    this.cluster = cluster;
    this.members = members;
    this.random = random;
    this.diary = diary;
    this.power = power;
    this.outage = new Outage(cluster, members, random);
  }

  /** Returns when the fault is over. */
  void inject(ClusterFault fault) throws IOException, InterruptedException {
    switch (fault) {
      case KILL -> kill();
      case PAUSE -> pause();
      case CUT -> cut();
      case ONE_WAY -> oneWay();
      case LOSS -> network(everybody(), "", 1 + random.nextInt(LOSS_PERCENT_MAX), 0, "loss");
      case DELAY -> network(everybody(), "", 0, DELAY_MILLIS, "delay");
      case JOIN -> join();
      case LEAVE -> leave();
      case ROLLING -> rolling();
      case PRESSURE -> pressure();
      case KILL_ALL -> outage(fault, List.of());
      case POWER -> outage(fault, cluster.nodes());
      case DISK_LOST -> loseDisk();
      case DISK_SLOW -> slowDisk();
      case DISK_FULL -> fullDisk();
    }
  }

  private void kill() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    diary.fault("kill", List.of(victim.name()));
    victim.kill();
    members.died(victim);
    pause(1, 5);
    start();
  }

  private void pause() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    diary.fault("stop", List.of(victim.name()));
    victim.pause();
    try {
      Thread.sleep(1_000L * PAUSE_SECONDS[random.nextInt(PAUSE_SECONDS.length)]);
    } finally {
      victim.resume();
    }
    diary.fault("cont", List.of(victim.name()));
  }

  private void cut() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    List<NodeHandle> others = others(victim);
    diary.fault("partition", List.of(victim.name(), "both ways"));
    set(List.of(victim), ports(others), 0, 0);
    set(others, ports(List.of(victim)), 0, 0);
    pause(1, 15);
    heal();
  }

  private void oneWay() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    List<NodeHandle> others = others(victim);
    if (random.nextBoolean()) {
      diary.fault("partition", List.of(victim.name(), "does not hear the others"));
      set(List.of(victim), ports(others), 0, 0);
    } else {
      diary.fault("partition", List.of(victim.name(), "is not heard by the others"));
      set(others, ports(List.of(victim)), 0, 0);
    }
    pause(1, 15);
    heal();
  }

  private void network(List<NodeHandle> nodes, String deafTo, int loss, int delay, String word)
      throws IOException, InterruptedException {
    diary.fault(word, List.of(Integer.toString(loss + delay)));
    set(nodes, deafTo, loss, delay);
    pause(3, 8);
    heal();
  }

  private void join() throws IOException, InterruptedException {
    NodeHandle guest = start();
    pause(2, 6);
    end(guest);
  }

  private void leave() throws IOException, InterruptedException {
    end(anybody());
    pause(1, 4);
    start();
  }

  private void rolling() throws IOException, InterruptedException {
    for (NodeHandle node : cluster.nodes()) {
      end(node);
      start();
      pause(0, 2);
    }
  }

  private void pressure() throws IOException {
    NodeHandle victim = anybody();
    diary.fault("pressure", List.of(victim.name()));
    victim.ask(Command.of("pressure").with("millis", 1_000 * (2 + random.nextInt(4))), LIMIT);
  }

  private void outage(ClusterFault fault, List<NodeHandle> lossy)
      throws IOException, InterruptedException {
    List<NodeHandle> all = everybody();
    diary.fault(fault.label(), all.stream().map(NodeHandle::name).toList());
    outage.killAll();
    for (NodeHandle node : lossy) {
      records().cut(Integer.toString(node.port()), random);
    }
    pause(0, 3);
    List<NodeHandle> started = outage.startAll(all.size());
    diary.fault("join", started.stream().map(NodeHandle::name).toList());
  }

  private PowerRecords records() {
    if (power == null) {
      throw new IllegalStateException("nothing notes what the disks were forced to take");
    }
    return power;
  }

  private void loseDisk() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    diary.fault("disk-lost", List.of(victim.name()));
    victim.kill();
    members.died(victim);
    cluster.emptyDisk(victim);
    if (power != null) {
      power.forget(Integer.toString(victim.port()));
    }
    pause(1, 5);
    start();
  }

  private void slowDisk() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    boolean tooSlow = random.nextBoolean();
    diary.fault("disk-slow", List.of(victim.name(), tooSlow ? "its node ends" : "for a while"));
    String disk = Integer.toString(victim.port());
    records().hang(disk);
    try {
      if (tooSlow) {
        pause(13, 16);
      } else {
        pause(3, 7);
      }
    } finally {
      records().goOn(disk);
    }
    if (tooSlow) {
      replace(victim);
    }
  }

  private void fullDisk() throws IOException, InterruptedException {
    NodeHandle victim = anybody();
    boolean fails = random.nextBoolean();
    diary.fault("disk-full", List.of(victim.name(), fails ? "its node ends" : "for a while"));
    String disk = Integer.toString(victim.port());
    records().fill(disk, fails);
    try {
      pause(4, 8);
    } finally {
      records().empty(disk);
    }
    if (fails) {
      replace(victim);
    }
  }

  /** A node that has ended: its process is killed, and another one begins with its disk. */
  private void replace(NodeHandle ended) throws IOException, InterruptedException {
    ended.kill();
    members.died(ended);
    pause(1, 3);
    start();
  }

  private NodeHandle start() throws IOException {
    NodeHandle node = cluster.add();
    diary.fault("join", List.of(node.name()));
    members.joined(node);
    return node;
  }

  private void end(NodeHandle node) throws IOException {
    diary.fault("leave", List.of(node.name()));
    members.leaves(node);
    node.close();
    cluster.forget(node);
  }

  private void heal() throws IOException {
    set(everybody(), "", 0, 0);
    diary.fault("heal", List.of());
  }

  private void set(List<NodeHandle> nodes, String deafTo, int loss, int delay) {
    Command network =
        Command.of("network").with("deafTo", deafTo).with("loss", loss).with("delay", delay);
    nodes.forEach(node -> node.ask(network, LIMIT));
  }

  private static String ports(List<NodeHandle> nodes) {
    return nodes.stream().map(node -> "" + node.port()).collect(Collectors.joining(","));
  }

  private List<NodeHandle> everybody() {
    return cluster.nodes();
  }

  private NodeHandle anybody() {
    return cluster.nodes().get(random.nextInt(cluster.nodes().size()));
  }

  private List<NodeHandle> others(NodeHandle node) {
    List<NodeHandle> others = new ArrayList<>(cluster.nodes());
    others.remove(node);
    return others;
  }

  private void pause(int secondsMin, int secondsMax) throws InterruptedException {
    Thread.sleep(1_000L * secondsMin + random.nextInt(1_000 * (secondsMax - secondsMin)));
  }
}
