package io.canopygrid.study.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.study.grid.StudyCluster;
import io.canopygrid.study.load.Ablation;
import io.canopygrid.study.load.Row;
import io.canopygrid.study.load.StudyWorkload;
import io.canopygrid.study.tree.Variant;
import io.canopygrid.ycsb.cluster.Heap;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy study ablation}. */
@Command(
    name = "ablation",
    description = {
      "Run the paper's workloads on the index and on plain B+trees over the same transactions, with"
          + " none, one or all of the paper's mechanisms.",
      "All trees are on one cluster of this machine; the variants take turns."
    },
    footer = {
      "",
      "A row counts what all nodes did for the operations of this JVM, which is one of them.",
      "Exit code 1 if an operation failed.",
      "Example: canopy study ablation --workloads Balanced --variants Baseline,Canopy"
    })
final class AblationCommand implements Callable<Integer> {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes, this JVM included (${DEFAULT-VALUE}).")
  private int nodes = 3;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records in each tree (${DEFAULT-VALUE}).")
  private long records = 20_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "For each variant and workload, over all rounds (${DEFAULT-VALUE}).")
  private double seconds = 4;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Turns of each variant, after one that warms up (${DEFAULT-VALUE}).")
  private int rounds = 4;

  @Option(names = "--threads", paramLabel = "T", description = "Clients (${DEFAULT-VALUE}).")
  private int threads = 4;

  @Option(
      names = "--arity",
      paramLabel = "N",
      description = "Most entries of a page of the plain trees (${DEFAULT-VALUE}).")
  private int arity = 8;

  @Option(
      names = "--variants",
      paramLabel = "LIST",
      description = "Baseline,Sub-trees,Dirty,TopFull,AllInner,FixedAt2,Canopy (${DEFAULT-VALUE}).")
  private String variants = "all";

  @Option(
      names = "--workloads",
      paramLabel = "LIST",
      description =
          "Balanced,Read-Dominated,Read-Only,Read-Latest,Scan-Heavy,RMW (paper);"
              + " Lookup,Blind-Put,Put-By-Function,RMW-By-Function,Scan-Of-100 (operations);"
              + " or all (${DEFAULT-VALUE}).")
  private String workloads = "paper";

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of each other node, as in 1g (${DEFAULT-VALUE}).")
  private String heap = "768m";

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "text or json (${DEFAULT-VALUE}).")
  private Output output = Output.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Ablation.Settings settings = settings();
    Narrator narrator = Narrator.onStandardError();
    narrator.say("Starting " + nodes + " nodes");
    List<Row> rows;
    try (StudyCluster cluster = new StudyCluster(nodes, heap, narrator)) {
      rows = measured(cluster, settings, narrator);
    } catch (ExecutionException e) {
      narrator.say("FAILED: " + e.getCause());
      return 1;
    }
    PrintWriter out = spec.commandLine().getOut();
    output.lines(rows).forEach(out::println);
    out.flush();
    return 0;
  }

  /**
   * The rows that were measured; if an operation fails, the error says whether a node is missing,
   * and how busy the machine is.
   */
  private List<Row> measured(StudyCluster cluster, Ablation.Settings settings, Narrator narrator)
      throws InterruptedException, ExecutionException {
    boolean done = false;
    try {
      List<Row> rows = new Ablation(cluster.member(), settings, narrator).run();
      done = true;
      return rows;
    } finally {
      if (!done) {
        narrator.say(
            String.format(
                Locale.ROOT,
                "%d of %d nodes are members, load average %.1f",
                cluster.member().node().topology().members().size(),
                nodes,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
      }
    }
  }

  private Ablation.Settings settings() {
    try {
      Heap.require(heap);
      List<Variant> chosen = Variant.parse(variants);
      List<StudyWorkload> mixes = StudyWorkload.parse(workloads);
      if (nodes < 2 || nodes > StudyCluster.NODES_MAX) {
        throw new IllegalArgumentException(
            "nodes must be from 2 to " + StudyCluster.NODES_MAX + ": " + nodes);
      }
      return new Ablation.Settings(chosen, mixes, nodes, records, seconds, rounds, threads, arity);
    } catch (IllegalArgumentException e) {
      CanopyException coded =
          new CanopyException(ErrorCode.INVALID_ARGUMENT, String.valueOf(e.getMessage()), e);
      throw new ParameterException(spec.commandLine(), coded.getMessage(), coded);
    }
  }
}
