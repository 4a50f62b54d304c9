package io.canopygrid.soak.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.Placement;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.soak.ClusterFault;
import io.canopygrid.soak.Soak;
import io.canopygrid.soak.SoakOptions;
import io.canopygrid.soak.SoakReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy soak}: a cluster of processes that is broken again and again. */
@Command(
    name = "soak",
    description = {
      "Start a cluster of processes on this machine, break it again and again while clients use"
          + " it and subtrees are split, merged and moved, and check what they saw.",
      "Rounds of faults follow each other until the time is over; after each the cluster is healed,"
          + " every key is read from every node, and the histories are checked."
    },
    footer = {
      "",
      "Exit code: 0 nothing wrong, 1 an anomaly, a lost write, a broken index or a cluster that",
      "did not heal, 2 a command that is not understood.",
      "Example: canopy soak --minutes 10 --faults kill,pause,cut"
    })
final class SoakCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  /** The form in which the result is printed. */
  enum Output {
    TABLE,
    JSON;

    /** As the user types it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Begin no new round after so many minutes (${DEFAULT-VALUE}).")
  private double minutes = 5;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = "Go on after that until so many transactions are committed (${DEFAULT-VALUE}).")
  private long transactions = 0;

  @Option(names = "--nodes", paramLabel = "N", description = "Nodes (${DEFAULT-VALUE}).")
  private int nodes = 3;

  @Option(
      names = "--faults",
      paramLabel = "LIST",
      description =
          "Names with commas, or all or none (${DEFAULT-VALUE}); a wrong name is answered with all"
              + " of them.")
  private String faults = "all";

  @Option(
      names = "--placement",
      paramLabel = "HOW",
      description = {
        "Which node gets a subtree: even, or near (${DEFAULT-VALUE}).",
        "near: half of what a node's clients do is in a part of the index that is theirs."
      })
  private Placement placement = Placement.EVEN;

  @Option(
      names = "--durability",
      paramLabel = "HOW",
      description = {
        "Nodes with disks: async, or fsync. Without it data is in memory.",
        "With it there are kill-all and disk-lost, with fsync also power (power cuts),",
        "disk-slow and disk-full."
      })
  private @Nullable Durability durability;

  @Option(
      names = "--previous",
      paramLabel = "DIR",
      description =
          "The unpacked archive of the release before: nodes are of that and of this one by turns.")
  private @Nullable Path previous;

  @Option(
      names = "--history",
      paramLabel = "DIR",
      description = "Keep all histories and the nodes' logs there; without, only what is wrong.")
  private @Nullable Path history;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Of the faults and of what clients do, not of when (a random one).")
  private long seed = System.nanoTime() & 0xffffff;

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    SoakOptions options = options();
    Path directory = directory();
    Narrator narrator = Narrator.onStandardError();
    narrator.say(
        String.format(
            Locale.ROOT,
            "starting %d nodes; faults: %s; seed %d",
            options.nodes(),
            ClusterFault.labels(options.faults()),
            seed));
    SoakReport report = new Soak(options, directory, history != null, narrator::say).run();
    PrintWriter out = spec.commandLine().getOut();
    out.println(output.isJson() ? report.json() : report.text());
    out.flush();
    if (!report.passed()) {
      narrator.say("histories and logs of the nodes: " + directory);
      return FAILED;
    }
    if (history == null) {
      delete(directory);
    }
    return 0;
  }

  private SoakOptions options() {
    if (!(minutes > 0)) {
      throw misunderstood("--minutes must be > 0: " + minutes);
    }
    if (transactions < 0) {
      throw misunderstood("--transactions must be >= 0: " + transactions);
    }
    if (nodes < 3) {
      throw misunderstood("--nodes must be >= 3: " + nodes);
    }
    if (previous != null && !Files.isDirectory(previous.resolve("lib"))) {
      throw misunderstood("--previous must be an unpacked archive: " + previous + " has no lib");
    }
    Set<ClusterFault> chosen;
    try {
      chosen = ClusterFault.parse(faults, durability);
    } catch (IllegalArgumentException e) {
      throw misunderstood("--faults: " + e.getMessage());
    }
    Duration duration = Duration.ofMillis((long) (minutes * 60_000));
    SoakOptions options = SoakOptions.of(duration, seed);
    return options
        .nodes(nodes)
        .transactions(transactions)
        .faults(chosen, options.faultsPerRound())
        .durability(durability)
        .previous(previous)
        .placement(placement);
  }

  private Path directory() throws IOException {
    if (history == null) {
      return Files.createTempDirectory("canopy-soak");
    }
    Files.createDirectories(history);
    try (Stream<Path> files = Files.list(history)) {
      if (files.findAny().isPresent()) {
        throw misunderstood("--history must be an empty directory: " + history);
      }
    }
    return history.toAbsolutePath();
  }

  private static void delete(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(directory)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  private ParameterException misunderstood(String detail) {
    CanopyException coded = new CanopyException(ErrorCode.INVALID_ARGUMENT, detail);
    return new ParameterException(spec.commandLine(), coded.getMessage(), coded);
  }
}
