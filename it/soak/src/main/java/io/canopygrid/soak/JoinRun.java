package io.canopygrid.soak;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import io.canopygrid.soak.cluster.SteadyLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Lets a fourth node join three that are in use, and measures what their clients notice. */
public final class JoinRun {
  private static final int NODES = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String INDEX = "moved";
  private static final long POLL_MILLIS = 200;

  /** Longer than the balance rests after a change. */
  private static final long SETTLED_MILLIS = 4_000;

  private static final Duration SETTLING_MOST = Duration.ofSeconds(60);
  private static final double NANOS_PER_MILLI = 1e6;

  private final Options options;
  private final Path directory;

  /**
   * The amount of data, and the pace of operations.
   *
   * @param entries of the index
   * @param bytes of each value
   * @param perSecond operations of all nodes together
   * @param peace for how long latencies are taken before the join and after it
   */
  public record Options(int entries, int bytes, int perSecond, Duration peace) {}

  /**
   * The measurements of the clients of the first three nodes for a while.
   *
   * @param failed operations
   * @param latencies in nanoseconds
   */
  public record Phase(long failed, Histogram latencies) {
    double p99Millis() {
      return latencies.getValueAtPercentile(99) / NANOS_PER_MILLI;
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "%,d operations, %d failed, p50 %.2f ms, p99 %.2f ms, longest %.0f ms",
          latencies.getTotalCount(),
          failed,
          latencies.getValueAtPercentile(50) / NANOS_PER_MILLI,
          p99Millis(),
          latencies.getMaxValue() / NANOS_PER_MILLI);
    }
  }

  /**
   * The share of the data that a node has afterwards.
   *
   * @param owned shards of which it has a copy
   * @param primary shards of which it is the primary
   * @param copies of entries
   */
  public record Share(long owned, long primary, long copies) {}

  /**
   * One join.
   *
   * @param beside while the process that is to join worked alone: the cost of one more process on
   *     this machine even if it joins no cluster
   * @param besideMillis for how long
   * @param millis from the beginning of the join until the new node had its shards
   */
  public record Move(Phase beside, long besideMillis, Phase before, Phase during, long millis) {
    /** The p99 of the move by the one before. */
    public double slowdown() {
      return slowdown(during);
    }

    private double slowdown(Phase phase) {
      return phase.p99Millis() / before.p99Millis();
    }

    private String text() {
      return String.format(Locale.ROOT, "before: %s%n", before.text())
          + text("alone:  ", beside, besideMillis)
          + text("move:   ", during, millis);
    }

    private String text(String name, Phase phase, long took) {
      return String.format(
          Locale.ROOT,
          "%s%s; %.1f s, p99 %.1f times that before%n",
          name,
          phase.text(),
          took / 1e3,
          slowdown(phase));
    }
  }

  /**
   * The result of the run.
   *
   * @param first the join that the three nodes had not seen the like of
   * @param second the next one
   * @param shares of each node at the end, when they have settled
   */
  public record Report(Move first, Move second, Phase after, List<Share> shares) {
    /** All operations that failed. */
    public long failed() {
      return first.beside.failed()
          + second.beside.failed()
          + first.before.failed()
          + first.during.failed()
          + second.before.failed()
          + second.during.failed()
          + after.failed();
    }

    /** The greatest number of copies of a node by the mean. */
    public double unevenness() {
      return unevenness(shares.stream().map(Share::copies).toList());
    }

    private static double unevenness(List<Long> counts) {
      double mean = counts.stream().mapToLong(Long::longValue).average().orElse(1);
      return counts.stream().mapToLong(Long::longValue).max().orElse(0) / mean;
    }

    /** For a person. */
    public String text() {
      return String.format(
              Locale.ROOT,
              "the first node that joins%n%sthe second one%n%safter:  %s%n",
              first.text(),
              second.text(),
              after.text())
          + String.format(
              Locale.ROOT,
              "shards of each node %s, as primary %s; copies of entries %s: greatest by mean %.3f",
              shares.stream().map(Share::owned).toList(),
              shares.stream().map(Share::primary).toList(),
              shares.stream().map(Share::copies).toList(),
              unevenness());
    }
  }

  /**
   * A run.
   *
   * @param directory exists; gets the logs of the nodes
   */
  public JoinRun(Options options, Path directory) {
    this.options = options;
    this.directory = directory;
  }

  /**
   * Runs two joins: a node joins, the first that the three nodes have seen join, and leaves; then
   * another one joins.
   */
  public Report run() throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.startAsServers(NODES, directory, System.nanoTime())) {
      cluster.ask(0, command("churn", "fill", 0), LIMIT);
      each(cluster, "start");
      Thread.sleep(options.peace().toMillis());
      phase(cluster, "report"); // while everything was used for the first time
      final Move first = move(cluster);
      NodeHandle leaver = cluster.nodes().get(NODES);
      leaver.close();
      cluster.forget(leaver);
      awaitCopies(cluster);
      Thread.sleep(options.peace().toMillis());
      phase(cluster, "report"); // while the others took its shards over
      final Move second = move(cluster);
      Thread.sleep(options.peace().toMillis());
      final Phase after = phase(cluster, "stop");
      return new Report(first, second, after, settledShares(cluster));
    }
  }

  private static List<Share> shares(Cluster cluster) {
    List<Share> shares = new ArrayList<>();
    for (Command answer : cluster.askAll(Command.of("share").with("index", INDEX), LIMIT)) {
      shares.add(
          new Share(answer.number("owned"), answer.number("primary"), answer.number("copies")));
    }
    return shares;
  }

  /** Whether the nodes have two copies of each entry, as far as they say at about one moment. */
  private boolean hasTwoCopies(List<Share> shares) {
    return shares.stream().mapToLong(Share::copies).sum() == 2L * options.entries();
  }

  /**
   * Looks until the nodes have two copies of each entry and the shares of one look are those of the
   * look before. The shares of the last look are returned where that takes too long.
   */
  private List<Share> settledShares(Cluster cluster) throws InterruptedException {
    long deadline = System.nanoTime() + SETTLING_MOST.toNanos();
    List<Share> before = List.of();
    List<Share> shares = shares(cluster);
    while (!(shares.equals(before) && hasTwoCopies(shares)) && System.nanoTime() - deadline < 0) {
      Thread.sleep(SETTLED_MILLIS);
      before = shares;
      shares = shares(cluster);
    }
    return shares;
  }

  /** Waits until the nodes have two copies of each entry again. */
  private void awaitCopies(Cluster cluster) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!hasTwoCopies(shares(cluster))) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("no second copy of each entry within " + LIMIT);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Move move(Cluster cluster) throws IOException, InterruptedException {
    NodeHandle joiner = cluster.prepare();
    phase(cluster, "report"); // while that took a processor
    long began = System.nanoTime();
    cluster.rehearse(joiner);
    final long besideMillis = millisSince(began);
    final Phase beside = phase(cluster, "report");
    Thread.sleep(options.peace().toMillis());
    final Phase before = phase(cluster, "report");
    began = System.nanoTime();
    cluster.join(joiner);
    long millis = millisSince(began);
    return new Move(beside, besideMillis, before, phase(cluster, "report"), millis);
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private Phase phase(Cluster cluster, String how) {
    Histogram all = new Histogram(3);
    long failed = 0;
    for (Command answer : each(cluster, how)) {
      failed += answer.number("failed");
      all.add(SteadyLoad.latencies(answer));
    }
    return new Phase(failed, all);
  }

  private List<Command> each(Cluster cluster, String how) {
    List<Command> answers = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      answers.add(cluster.ask(node, command("load", how, node), LIMIT));
    }
    return answers;
  }

  private Command command(String word, String how, int node) {
    return Command.of(word)
        .with("how", how)
        .with("index", INDEX)
        .with("keys", options.entries())
        .with("bytes", options.bytes())
        .with("clients", 4)
        .with("perSecond", options.perSecond() / NODES)
        .with("seed", node);
  }
}
