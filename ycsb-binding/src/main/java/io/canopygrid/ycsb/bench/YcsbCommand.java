package io.canopygrid.ycsb.bench;

import io.canopygrid.Balancing;
import io.canopygrid.Canopy;
import io.canopygrid.Durability;
import io.canopygrid.Placement;
import io.canopygrid.ReadFrom;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.ClusterData;
import io.canopygrid.ycsb.cluster.Heap;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy bench ycsb}: measures YCSB's workloads on a cluster. */
@Command(
    name = "ycsb",
    description = {
      "Run YCSB workloads on a cluster of this machine: server JVMs, and this one as the last"
          + " node,",
      "or as a remote client of them (--remote), or as one of a cluster that runs (-c).",
      "Loads the records, checks the database, then warms up and measures each workload. Results"
          + " are on standard output, everything else on standard error."
    },
    footer = {
      "",
      "A result is one line of name=value: peer, workload, threads, records,",
      "operations, seconds, ops_s, cpu_us (CPU time of all nodes per operation),",
      "read_p50, read_p95, read_p99, read_p999 and the same for update, insert, scan and rmw (µs),",
      "errors (operations that did not end OK), retries, load (load average),",
      "remote_requests_per_tx, aborts, redirects.",
      "",
      "Exit code 1 if an operation failed or a check found wrong data.",
      "Example: canopy bench ycsb --nodes 3 --workloads a,b,c,a/1 --seconds 5"
    })
final class YcsbCommand implements Callable<Integer> {
  /** The place where nodes keep their data. */
  enum Keeping {
    MEMORY,
    ASYNC,
    FSYNC;

    /** The place as the user types it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The format of the results. */
  enum Output {
    LINES,
    JSON,
    TABLE;

    /** The format as the user types it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes, this JVM included (${DEFAULT-VALUE}).")
  private int nodes = 3;

  @Option(
      names = "--remote",
      description = "Start a server JVM for every node, and go through the remote client.")
  private boolean remote;

  @Option(
      names = {"-c", "--connect"},
      paramLabel = "URI",
      description =
          "Start nothing, be a client of this cluster: canopy://host:port,host:port. CPU time is"
              + " that of this JVM only.")
  private @Nullable String uri;

  @Option(names = "--clear", description = "With -c: empty the index usertable first.")
  private boolean clear;

  @Option(
      names = "--workloads",
      paramLabel = "LIST",
      description =
          "Workloads a to f in a list with commas, or all (${DEFAULT-VALUE}); with /T for another"
              + " number of threads, as in a/1.")
  private String workloads = "a,b,c,d,e,f";

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records to load (${DEFAULT-VALUE}).")
  private long records = 20_000;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations for each workload (${DEFAULT-VALUE}: as many as take --seconds).")
  private long operations = 0;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of a measurement in seconds (${DEFAULT-VALUE}).")
  private double seconds = 12;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      description = "Length of each warm-up in seconds (${DEFAULT-VALUE}).")
  private double warmup = 5;

  @Option(names = "--threads", paramLabel = "T", description = "Client threads (${DEFAULT-VALUE}).")
  private int threads = 4;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often the list is measured, one round after the other (${DEFAULT-VALUE}).")
  private int rounds = 1;

  @Option(
      names = "--read-from",
      paramLabel = "COPIES",
      description =
          "Which copies transactions read: primary, or nearest, this node's own where it has them"
              + " (${DEFAULT-VALUE}).")
  private ReadFrom readFrom = ReadFrom.PRIMARY;

  @Option(
      names = "--placement",
      paramLabel = "WAY",
      description =
          "Which node gets a subtree: near, this one where its transactions use it, or even, all"
              + " nodes the same load, as nodes do by themselves (${DEFAULT-VALUE}); without"
              + " meaning for --remote and -c.")
  private Placement placement = Placement.NEAR;

  @Option(
      names = "--durability",
      paramLabel = "WAY",
      description =
          "memory, or async or fsync for data on disk (${DEFAULT-VALUE}); without meaning for -c.")
  private Keeping durability = Keeping.MEMORY;

  @Option(
      names = "--data-below",
      paramLabel = "DIR",
      description =
          "The directory in which nodes with data on disk get theirs, which are removed at the end"
              + " (that for temporary files, which may be no disk).")
  private @Nullable Path dataBelow;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of each server, as in 1g or 512m (${DEFAULT-VALUE}).")
  private String heap = "1g";

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Seed of the checks before the workloads (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "lines of name=value, json (an object per line) or table (${DEFAULT-VALUE}).")
  private Output output = Output.LINES;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    BenchSettings settings = settings();
    PrintWriter out = spec.commandLine().getOut();
    Narrator narrator = Narrator.onStandardError();
    PrintStream standardOutput = System.out;
    System.setOut(System.err); // YCSB prints there, and its lines are no results
    try {
      return run(settings, out, narrator);
    } finally {
      System.setOut(standardOutput);
    }
  }

  private BenchSettings settings() {
    try {
      LocalCluster.requireNodes(nodes);
      Heap.require(heap);
      requireDirectory();
      List<WorkloadSpec> list = WorkloadSpec.parseList(workloads, threads);
      return new BenchSettings(
          BenchSettings.inRounds(list, rounds),
          threads,
          records,
          operations,
          seconds,
          warmup,
          readFrom);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void requireDirectory() {
    if (dataBelow != null && !Files.isDirectory(dataBelow)) {
      throw new IllegalArgumentException("is no directory: --data-below=" + dataBelow);
    }
  }

  private int run(BenchSettings settings, PrintWriter out, Narrator narrator)
      throws IOException, InterruptedException {
    if (uri != null) {
      try (Canopy client = RemoteCanopy.connect(uri)) {
        UserTable.makeEmpty(client, clear);
        return measure(client, LocalCluster::ownCpuSeconds, settings, out, narrator);
      } catch (BenchFailure e) {
        narrator.say("FAILED: " + e.getMessage());
        return 1;
      }
    }
    narrator.say(
        "Starting "
            + nodes
            + (nodes == 1 ? " node" : " nodes")
            + (remote ? "" : ", placement " + placement.name().toLowerCase(Locale.ROOT))
            + (durability == Keeping.MEMORY
                ? ", data in memory"
                : ", data on disk, " + durability));
    Balancing balancing = Balancing.DEFAULTS.placement(placement);
    try (LocalCluster cluster =
        remote
            ? LocalCluster.startServers(nodes, heap, data(), narrator)
            : LocalCluster.start(nodes, heap, balancing, data(), narrator)) {
      return measure(cluster.canopy(), cluster::cpuSeconds, settings, out, narrator);
    } finally {
      narrator.say("Stopped what was started");
    }
  }

  private ClusterData data() {
    return switch (durability) {
      case MEMORY -> ClusterData.MEMORY;
      case ASYNC -> new ClusterData(Durability.ASYNC, dataBelow);
      case FSYNC -> new ClusterData(Durability.FSYNC, dataBelow);
    };
  }

  private int measure(
      Canopy canopy,
      DoubleSupplier cpuSeconds,
      BenchSettings settings,
      PrintWriter out,
      Narrator narrator)
      throws InterruptedException {
    try {
      Bench bench = new Bench(canopy, settings, cpuSeconds, narrator);
      List<BenchResult> results = new ArrayList<>();
      long errors =
          bench.run(
              result -> {
                results.add(result);
                print(result, out);
              },
              seed);
      if (output == Output.TABLE) {
        ResultTable.lines(results).forEach(out::println);
        out.flush();
      }
      if (errors > 0) {
        narrator.say("FAILED: " + errors + " operations did not end OK");
      }
      return errors == 0 ? 0 : 1;
    } catch (BenchFailure e) {
      narrator.say("FAILED: " + e.getMessage());
      return 1;
    }
  }

  private void print(BenchResult result, PrintWriter out) {
    if (output != Output.TABLE) {
      out.println(output == Output.JSON ? result.json() : result.line());
      out.flush();
    }
  }
}
