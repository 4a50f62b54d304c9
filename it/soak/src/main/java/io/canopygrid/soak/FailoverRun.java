package io.canopygrid.soak;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Takes a node away in several ways, and measures for how long no node could read and write some
 * shard: every shard is asked from every node twenty times a second. No other client is at work.
 */
public final class FailoverRun {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long WATCH_MILLIS = 50;
  private static final long PEACE_MILLIS = 2_000;

  private final Options options;
  private final Path directory;
  private final Consumer<String> narrator;
  private final List<Path> watches = new ArrayList<>();
  private final long baseNanos = System.nanoTime();

  /**
   * The faults to make: how many, and how long.
   *
   * @param kills how many nodes are killed, one after the other
   * @param pause for how long a node stands still
   * @param cut for how long a node is cut off, or hears no other node
   * @param shards besides the one of the crown
   */
  public record Options(
      int kills, Duration pause, Duration cut, int shards, Duration failureTimeout) {}

  /**
   * The result, in milliseconds: of each fault the longest time in which no node could use some
   * shard.
   *
   * @param killed of each kill
   * @param refusals what the node said that was cut off
   */
  public record Report(
      Options options, List<Long> killed, long paused, long cut, long deaf, Refusals refusals) {
    /** For a person. */
    public String text() {
      return String.format(
              Locale.ROOT,
              "away after a kill %s ms; pause of %d s: %d ms; cut: %d ms; deaf: %d ms",
              killed,
              options.pause().toSeconds(),
              paused,
              cut,
              deaf)
          + String.format(
              Locale.ROOT,
              " (failure timeout %d ms)%nthe node cut off: %s",
              options.failureTimeout().toMillis(),
              refusals.text());
    }
  }

  /**
   * The answers of a node to its own clients while it was cut off.
   *
   * @param foundAfter when it refused for the first time, since the cut
   * @param millis how long each refusal took from then on, the shortest first
   * @param served how many calls it answered from then on
   * @param late how many calls that began after that ended by a time-out
   */
  public record Refusals(long foundAfter, List<Long> millis, long served, long late) {
    static Refusals of(List<String> lines, long from, long until) {
      long found = Long.MAX_VALUE;
      long served = 0;
      long late = 0;
      List<Long> millis = new ArrayList<>();
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        long at = words.length < 2 ? 0 : Long.parseLong(words[1]);
        if (at < from || at > until) {
          continue;
        }
        boolean refused = words.length == 4 && words[2].equals("SHARD_UNAVAILABLE");
        found = refused ? Math.min(found, at) : found;
        if (at >= found) {
          long taken = words.length == 4 ? Long.parseLong(words[3]) : 0;
          if (refused && at - taken >= found) {
            millis.add(taken);
          }
          served += words.length == 2 ? 1 : 0;
          late += words.length == 4 && !refused && at - taken > found ? 1 : 0;
        }
      }
      return new Refusals(found - from, millis.stream().sorted().toList(), served, late);
    }

    private String text() {
      return String.format(
              Locale.ROOT,
              "first refusal after %d ms, then %d of them, half within %d ms, all within %d ms;",
              foundAfter,
              millis.size(),
              part(0.5),
              part(1))
          + String.format(Locale.ROOT, " %d served, %d timed out", served, late);
    }

    private long part(double share) {
      int last = (int) Math.ceil(share * millis.size()) - 1;
      return last < 0 ? 0 : millis.get(last);
    }
  }

  /**
   * A run.
   *
   * @param directory exists; gets the logs of the nodes
   */
  public FailoverRun(Options options, Path directory, Consumer<String> narrator) {
    this.options = options;
    this.directory = directory;
    this.narrator = narrator;
  }

  /**
   * Runs it.
   *
   * @throws IllegalStateException where the cluster does not become whole again after a fault
   */
  public Report run() throws IOException, InterruptedException {
    try (Cluster cluster =
        Cluster.breakable(
            3, options.shards(), options.failureTimeout(), LIMIT, directory, baseNanos)) {
      for (NodeHandle node : cluster.nodes()) {
        watch(node);
      }
      List<Long> killed = new ArrayList<>();
      for (int i = 0; i < options.kills(); i++) {
        killed.add(kill(cluster));
      }
      final long paused = pause(cluster);
      final long deaf = gap("deaf", unheard(cluster, false));
      final long from = unheard(cluster, true);
      final long cut = gap("cut", from);
      List<String> lines = Files.readAllLines(watchOf(cluster.nodes().get(2)));
      Refusals refusals = Refusals.of(lines, from, from + options.cut().toMillis());
      return new Report(options, killed, paused, cut, deaf, refusals);
    }
  }

  private long kill(Cluster cluster) throws IOException, InterruptedException {
    long from = peace(cluster);
    NodeHandle victim = cluster.nodes().get(0);
    victim.kill();
    cluster.forget(victim);
    Thread.sleep(options.failureTimeout().toMillis() + PEACE_MILLIS);
    long gap = gap("kill", from);
    watch(cluster.add());
    return gap;
  }

  private long pause(Cluster cluster) throws IOException, InterruptedException {
    long from = peace(cluster);
    NodeHandle victim = cluster.nodes().get(0);
    victim.pause();
    try {
      Thread.sleep(options.pause().toMillis());
    } finally {
      victim.resume();
    }
    peace(cluster);
    return gap("pause", from);
  }

  /**
   * The last node does not hear the others; if both ways, they do not hear it either.
   *
   * @return since when
   */
  private long unheard(Cluster cluster, boolean bothWays) throws IOException, InterruptedException {
    long from = peace(cluster);
    List<NodeHandle> nodes = cluster.nodes();
    network(nodes.get(2), nodes.get(0).port() + "," + nodes.get(1).port());
    if (bothWays) {
      network(nodes.get(0), "" + nodes.get(2).port());
      network(nodes.get(1), "" + nodes.get(2).port());
    }
    Thread.sleep(options.cut().toMillis());
    nodes.forEach(node -> network(node, ""));
    peace(cluster);
    return from;
  }

  private static void network(NodeHandle node, String deafTo) {
    Command network = Command.of("network").with("deafTo", deafTo).with("loss", 0).with("delay", 0);
    node.ask(network, LIMIT);
  }

  private void watch(NodeHandle node) {
    Path file = watchOf(node);
    watches.add(file);
    node.ask(Command.of("watch").with("file", file).with("every", WATCH_MILLIS), LIMIT);
  }

  private Path watchOf(NodeHandle node) {
    return directory.resolve("watch-" + node.name());
  }

  /** Waits until all is well; the time then. */
  private long peace(Cluster cluster) throws InterruptedException {
    Members members = new Members(cluster, directory, directory, watches, List.of(), new Random());
    if (!members.awaitWhole(LIMIT)) {
      throw new IllegalStateException(members.wrong().toString());
    }
    Thread.sleep(PEACE_MILLIS);
    return now();
  }

  private long now() {
    return (System.nanoTime() - baseNanos) / 1_000_000;
  }

  private long gap(String fault, long from) throws IOException {
    long[] gaps = ShardGaps.longest(watches, options.shards() + 1, from);
    narrator.accept(fault + ": each shard away for ms " + Arrays.toString(gaps));
    return ShardGaps.greatest(gaps);
  }
}
