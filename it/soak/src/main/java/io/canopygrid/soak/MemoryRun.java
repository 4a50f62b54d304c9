package io.canopygrid.soak;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Overwrites one key set on three nodes for a long time. In the first half of each of some cycles a
 * snapshot stays open at a node, and old versions are kept for it; at the end of the cycle the
 * nodes must need as much memory as in the beginning.
 */
public final class MemoryRun {
  private static final int NODES = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final long POLL_MILLIS = 1_000;
  private static final int POLLS_MAX = 20;
  private static final double MEGABYTE = 1e6;

  /** Further polls are for what is still being let go. */
  private static final double FALLS_NO_MORE = 0.995;

  private final Options options;
  private final Path directory;
  private final Consumer<String> narrator;

  /**
   * The length of the run, and the pace of updates.
   *
   * @param duration of all cycles together
   * @param cycles at least 1
   * @param keys that are written again and again, at least 50
   * @param bytes of a value
   * @param perSecond updates of all nodes together
   */
  public record Options(Duration duration, int cycles, int keys, int bytes, int perSecond) {}

  /**
   * The result of the run.
   *
   * @param before live bytes of all nodes before the first cycle
   * @param held the same at the end of each cycle's first half, with the snapshot open
   * @param after the same at the end of each cycle
   * @param committed updates
   * @param failed updates
   * @param changed how many of the snapshots did not stay as they were
   */
  public record Report(
      long before, List<Long> held, List<Long> after, long committed, long failed, long changed) {
    /** The greatest of the ratios of what is live after a cycle to what was before all of them. */
    public double growth() {
      return after.stream().mapToDouble(bytes -> (double) bytes / before).max().orElse(0);
    }

    /** For a person. */
    public String text() {
      return String.format(
              Locale.ROOT,
              "%,d updates, %d failed; live heap of the nodes together: %.1f MB, with a snapshot open",
              committed,
              failed,
              before / MEGABYTE)
          + String.format(
              Locale.ROOT, " %s MB, after it was closed %s MB", megabytes(held), megabytes(after));
    }

    private static String megabytes(List<Long> bytes) {
      return bytes.stream()
          .map(value -> String.format(Locale.ROOT, "%.1f", value / MEGABYTE))
          .toList()
          .toString();
    }
  }

  /**
   * A run.
   *
   * @param directory exists; gets the logs of the nodes
   */
  public MemoryRun(Options options, Path directory, Consumer<String> narrator) {
    this.options = options;
    this.directory = directory;
    this.narrator = narrator;
  }

  /** Runs it. */
  public Report run() throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.start(NODES, directory, System.nanoTime())) {
      cluster.ask(0, churn("fill", 0), LIMIT);
      write(cluster, half());
      long before = live(cluster);
      narrator.accept(String.format(Locale.ROOT, "before: %.1f MB", before / MEGABYTE));
      List<Long> held = new ArrayList<>();
      List<Long> after = new ArrayList<>();
      long changed = 0;
      long committed = 0;
      long failed = 0;
      for (int cycle = 0; cycle < options.cycles(); cycle++) {
        int reader = cycle % NODES;
        cluster.ask(reader, churn("hold", reader), LIMIT);
        write(cluster, half());
        held.add(live(cluster));
        Command released = cluster.ask(reader, churn("release", reader), LIMIT);
        changed += released.number("changed");
        List<Command> written = write(cluster, half());
        committed = sum(written, "committed");
        failed = sum(written, "failed");
        after.add(live(cluster));
        narrator.accept(
            String.format(
                Locale.ROOT,
                "cycle %d: %.1f MB with a snapshot open, %.1f MB afterwards; %,d updates",
                cycle + 1,
                held.get(cycle) / MEGABYTE,
                after.get(cycle) / MEGABYTE,
                committed));
      }
      return new Report(before, held, after, committed, failed, changed);
    }
  }

  private Duration half() {
    return options.duration().dividedBy(2L * options.cycles());
  }

  /** All nodes write for so long; what they say. */
  private List<Command> write(Cluster cluster, Duration time) throws InterruptedException {
    askEach(cluster, "start");
    Thread.sleep(time.toMillis());
    return askEach(cluster, "stop");
  }

  private List<Command> askEach(Cluster cluster, String how) {
    List<Command> commands = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      commands.add(churn(how, node));
    }
    return cluster.askEach(commands, LIMIT);
  }

  /** The live bytes of all nodes, once their sum falls no more. */
  private static long live(Cluster cluster) throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int poll = 0; poll < POLLS_MAX; poll++) {
      Thread.sleep(POLL_MILLIS);
      long now = sum(cluster.askAll(Command.of("vitals"), LIMIT), "heap");
      if (now >= least * FALLS_NO_MORE) {
        return Math.min(now, least);
      }
      least = now;
    }
    return least;
  }

  private static long sum(List<Command> answers, String name) {
    return answers.stream().mapToLong(answer -> answer.number(name)).sum();
  }

  private Command churn(String how, int node) {
    return Command.of("churn")
        .with("how", how)
        .with("index", "churn")
        .with("keys", options.keys())
        .with("bytes", options.bytes())
        .with("perSecond", Math.max(1, options.perSecond() / NODES))
        .with("seed", node);
  }
}
