package io.canopygrid.commands;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy simulate}: whole grids on virtual time, each decided by a seed. */
@Command(
    name = "simulate",
    description = {
      "Run whole grids in virtual time, with faults, and check what their clients saw.",
      "The seed decides everything: the same seed, options and version give the same run. On a"
          + " failure the run is made as small as it still fails, and told event by event."
    },
    footer = {
      "",
      "Exit code: 0 all runs kept every promise, 1 one did not, 2 a command that is not",
      "understood, 3 a trace or a history that cannot be written.",
      "Example: canopy simulate --seeds 10000 --faults crash,move,delay --layer index"
    })
final class SimulateCommand implements Callable<Integer> {
  static final int FAILED = 1;
  static final int BAD_OUTPUT = 3;

  /** The choice of layers to run. */
  enum Layers {
    TRANSACTIONS,
    INDEX,
    BOTH;

    List<SimulatedLayer> layers() {
      return switch (this) {
        case TRANSACTIONS -> List.of(SimulatedLayer.TRANSACTIONS);
        case INDEX -> List.of(SimulatedLayer.INDEX);
        case BOTH -> List.of(SimulatedLayer.TRANSACTIONS, SimulatedLayer.INDEX);
      };
    }

    /** As the user types it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "How many seeds (1000; with --minutes as many as there is time).")
  private @Nullable Long seeds;

  @Option(names = "--from", paramLabel = "S", description = "The first seed (${DEFAULT-VALUE}).")
  private long from = 0;

  @Option(
      names = "--faults",
      paramLabel = "LIST",
      description =
          "Names with commas, or all, none, network or planned (${DEFAULT-VALUE}); a wrong name"
              + " is answered with all of them.")
  private String faults = "all";

  @Option(
      names = "--reads",
      paramLabel = "LIST",
      description =
          "Ways to read, with commas: nearest, and of the layer transactions serializable, named,"
              + " parallel, turns; or plain (none of them), or all (${DEFAULT-VALUE}). Besides hot:"
              + " at copies of hot entries.")
  private String reads = "all";

  @Option(
      names = "--work",
      paramLabel = "LIST",
      description =
          "What clients of the layer index do beside reads and writes, with commas: commits,"
              + " functions, tables, cursors, loads, drops, past, feeds, clones, remote; or none,"
              + " or all (${DEFAULT-VALUE}).")
  private String work = "all";

  @Option(names = "--nodes", paramLabel = "N", description = "Nodes (${DEFAULT-VALUE}).")
  private int nodes = 4;

  @Option(names = "--shards", paramLabel = "N", description = "Shards (${DEFAULT-VALUE}).")
  private int shards = 5;

  @Option(
      names = "--owners",
      paramLabel = "N",
      description = "Owners of a shard (${DEFAULT-VALUE}).")
  private int owners = 2;

  @Option(names = "--sessions", paramLabel = "N", description = "Clients (two for each node).")
  private @Nullable Integer sessions;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = "Transactions of each client (${DEFAULT-VALUE}).")
  private int transactions = 8;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Begin no new run after so many minutes.")
  private @Nullable Double minutes;

  @Option(
      names = "--layer",
      paramLabel = "LAYER",
      description =
          "transactions alone, the index on them, or both, one after the other (${DEFAULT-VALUE}).")
  private Layers layers = Layers.BOTH;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Runs at a time (one for each processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write the trace of the failed run there instead of its last events here.")
  private @Nullable Path trace;

  @Option(
      names = "--history",
      paramLabel = "DIR",
      description =
          "Write what the clients of each run saw into a file there, LAYER-SEED.jsonl, about 30 kB"
              + " a run, for canopy verify and other checkers.")
  private @Nullable Path history;

  /** The class of a bug that is put into the tree, to see that this command finds it. */
  @Option(names = "--plant", hidden = true)
  private @Nullable String plant;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    SimulationOptions options = options();
    long beganNanos = System.nanoTime();
    long endsNanos =
        minutes == null
            ? beganNanos + Long.MAX_VALUE / 2
            : beganNanos + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
    long count = seeds != null ? seeds : minutes != null ? Long.MAX_VALUE / 2 : 1_000;
    Narrator narrator = Narrator.onStandardError();
    long total = count > Integer.MAX_VALUE ? Progress.UNKNOWN : count;
    SeedRuns runs;
    try (Progress progress = narrator.progress("simulating", "seeds", total)) {
      HistoryFiles histories = history == null ? null : new HistoryFiles(history);
      runs = new SeedRuns(layers.layers(), options, plant, from, count, endsNanos, histories);
      runs.run(threads, progress);
    } catch (IOException | UncheckedIOException e) {
      return notWritten("a history", e);
    }
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    SeedRuns.Failure failure = runs.firstFailure();
    SimulateReport report =
        new SimulateReport(layers.toString(), options, from, runs.done(), seconds, runs.counters());
    PrintWriter out = spec.commandLine().getOut();
    if (failure == null) {
      out.println(output.isJson() ? report.json(null, null) : report.text());
      out.flush();
      return 0;
    }
    return failed(failure, report, narrator);
  }

  private int failed(SeedRuns.Failure failure, SimulateReport report, Narrator narrator) {
    SimulatedLayer layer = failure.layer();
    long seed = failure.result().seed();
    narrator.say("seed " + seed + " failed, layer " + layer + "; making it smaller");
    SimulationOptions smallest =
        new Shrinking(options -> layer.run(seed, options, plant, Watch.RESULT).failed())
            .of(failure.result().options());
    SimulationResult told = layer.run(seed, smallest, plant, Watch.TRACE);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        output.isJson()
            ? report.json(failure, told)
            : report.text() + "\n\n" + report.failure(failure, told, trace != null));
    out.flush();
    return trace == null || written(told, trace) ? FAILED : BAD_OUTPUT;
  }

  private boolean written(SimulationResult told, Path file) {
    try {
      Files.write(file, told.trace());
      return true;
    } catch (IOException e) {
      notWritten("the trace", e);
      return false;
    }
  }

  private int notWritten(String what, Exception cause) {
    CanopyException coded =
        new CanopyException(
            ErrorCode.INVALID_ARGUMENT, what + " cannot be written: " + cause.getMessage());
    PrintWriter err = spec.commandLine().getErr();
    err.println(spec.qualifiedName() + ": " + coded.getMessage());
    err.flush();
    return BAD_OUTPUT;
  }

  private SimulationOptions options() {
    require(seeds == null || seeds >= 1, "--seeds must be >= 1: " + seeds);
    require(minutes == null || minutes > 0, "--minutes must be > 0: " + minutes);
    require(threads >= 1, "--threads must be >= 1: " + threads);
    require(nodes >= 1, "--nodes must be >= 1: " + nodes);
    require(shards >= 1, "--shards must be >= 1: " + shards);
    require(owners >= 1, "--owners must be >= 1: " + owners);
    require(owners <= nodes, "--owners must not be more than --nodes: " + owners + " of " + nodes);
    require(sessions == null || sessions >= 1, "--sessions must be >= 1: " + sessions);
    require(transactions >= 1, "--transactions must be >= 1: " + transactions);
    Set<SimulatedFault> chosen = faults();
    require(
        owners > 1
            || (!chosen.contains(SimulatedFault.CRASH) && !chosen.contains(SimulatedFault.STALE)),
        "with --owners 1 a crash loses data: leave crash and stale out of --faults");
    require(
        layers == Layers.TRANSACTIONS || !chosen.contains(SimulatedFault.LONG_READERS),
        "the fault long-readers is one of the layer transactions: choose --layer transactions");
    require(
        !chosen.contains(SimulatedFault.POWER)
            || chosen.contains(SimulatedFault.KILL_ALL)
            || chosen.contains(SimulatedFault.RESTART),
        "the fault power takes the power where nodes die: add kill-all or restart to --faults");
    SimulationOptions options = SimulationOptions.of(nodes, shards, owners, chosen);
    return options
        .withSessions(sessions == null ? 2 * nodes : sessions)
        .withTransactions(transactions)
        .with(reads())
        .withWork(work());
  }

  private Reads reads() {
    try {
      return Reads.parse(reads);
    } catch (IllegalArgumentException e) {
      throw misunderstood("--reads: " + e.getMessage());
    }
  }

  private Set<SimulatedWork> work() {
    try {
      return SimulatedWork.parse(work);
    } catch (IllegalArgumentException e) {
      throw misunderstood("--work: " + e.getMessage());
    }
  }

  private Set<SimulatedFault> faults() {
    try {
      return SimulatedFault.parse(faults);
    } catch (IllegalArgumentException e) {
      throw misunderstood("--faults: " + e.getMessage());
    }
  }

  private void require(boolean right, String otherwise) {
    if (!right) {
      throw misunderstood(otherwise);
    }
  }

  private ParameterException misunderstood(String detail) {
    CanopyException coded = new CanopyException(ErrorCode.INVALID_ARGUMENT, detail);
    return new ParameterException(spec.commandLine(), coded.getMessage(), coded);
  }
}
