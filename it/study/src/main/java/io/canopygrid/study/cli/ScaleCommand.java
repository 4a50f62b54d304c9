package io.canopygrid.study.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.study.load.StudyWorkload;
import io.canopygrid.study.scale.Charts;
import io.canopygrid.study.scale.ClientPlace;
import io.canopygrid.study.scale.Costs;
import io.canopygrid.study.scale.ScaleReport;
import io.canopygrid.study.scale.ScaleRow;
import io.canopygrid.study.scale.SimulatedStudy;
import io.canopygrid.study.tree.Variant;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy study scale}. */
@Command(
    name = "scale",
    description = {
      "Run workloads on grids of many nodes in virtual time: the real protocol and trees, on nodes"
          + " of a few cores, with the times that 'canopy study calibrate' has measured.",
      "The same seed, options and version give the same result."
    },
    footer = {
      "",
      "Clients: 'nodes' has them at the nodes, which ask the owners of keys; 'outside' has them",
      "outside of the grid, where they ask the owner of their key themselves.",
      "Example: canopy study scale --nodes 2,8,60,100 --workload Read-Dominated --charts"
          + " docs/charts"
    })
final class ScaleCommand implements Callable<Integer> {
  /** The way in which keys are chosen. */
  enum Keys {
    UNIFORM,
    ZIPF;

    /** As the user types it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--nodes",
      split = ",",
      paramLabel = "LIST",
      description = "Sizes of the grids (${DEFAULT-VALUE}).")
  private List<Integer> nodes = List.of(2, 6, 10, 20, 40, 60, 80, 100);

  @Option(
      names = "--workload",
      paramLabel = "LIST",
      description = "As of 'canopy study ablation' (${DEFAULT-VALUE}).")
  private String workloads = "Read-Dominated,Balanced";

  @Option(
      names = "--variants",
      paramLabel = "LIST",
      description = "As of 'canopy study ablation' (${DEFAULT-VALUE}).")
  private String variants = "Canopy";

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "LIST",
      description = "nodes, outside or both (${DEFAULT-VALUE}); outside is of the index only.")
  private List<ClientPlace> clients = List.of(ClientPlace.NODES, ClientPlace.OUTSIDE);

  @Option(
      names = "--keys",
      split = ",",
      paramLabel = "LIST",
      description =
          "uniform, zipf (the hottest key of 20,000 is asked for by every tenth operation) or both"
              + " (${DEFAULT-VALUE}).")
  private List<Keys> keys = List.of(Keys.UNIFORM);

  @Option(
      names = "--clients-per-node",
      paramLabel = "N",
      description = "Each does one operation at a time (${DEFAULT-VALUE}).")
  private int clientsPerNode = 16;

  @Option(
      names = "--records",
      split = ",",
      paramLabel = "LIST",
      description = "Records in the tree (${DEFAULT-VALUE}).")
  private List<Long> records = List.of(20_000L);

  @Option(
      names = "--arity",
      split = ",",
      paramLabel = "LIST",
      description = "Of the plain trees (${DEFAULT-VALUE}).")
  private List<Integer> arities = List.of(8);

  @Option(
      names = "--millis",
      paramLabel = "MS",
      description = "Virtual time of each measurement (${DEFAULT-VALUE}).")
  private double millis = 60;

  @Option(
      names = "--costs",
      paramLabel = "FILE",
      description = "What 'canopy study calibrate' wrote; without, what it wrote for the docs.")
  private @Nullable Path costs;

  @Option(
      names = "--charts",
      paramLabel = "DIR",
      description = "Draw curves over the number of nodes as SVG there.")
  private @Nullable Path charts;

  @Option(names = "--seed", paramLabel = "S", description = "Of the run (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "text or json (${DEFAULT-VALUE}).")
  private Output output = Output.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Narrator narrator = Narrator.onStandardError();
    List<ScaleRow> rows = new ArrayList<>();
    try {
      List<StudyWorkload> mixes = StudyWorkload.parse(workloads);
      Costs times = costs == null ? Costs.measured() : Costs.load(costs);
      for (SimulatedStudy.Options options : all()) {
        narrator.say(
            String.format(
                Locale.ROOT,
                "%s on %d nodes, %d records, arity %d, clients %s",
                options.variant(),
                options.nodes(),
                options.records(),
                options.arity(),
                options.places()));
        rows.addAll(SimulatedStudy.run(options, mixes, times, seed));
      }
    } catch (IllegalArgumentException e) {
      CanopyException coded =
          new CanopyException(ErrorCode.INVALID_ARGUMENT, String.valueOf(e.getMessage()), e);
      throw new ParameterException(spec.commandLine(), coded.getMessage(), coded);
    }
    PrintWriter out = spec.commandLine().getOut();
    (output == Output.JSON ? List.of(ScaleReport.json(rows)) : ScaleReport.table(rows))
        .forEach(out::println);
    out.flush();
    if (charts != null) {
      Charts.draw(rows, charts).forEach(file -> narrator.say("drew " + file));
    }
    return 0;
  }

  private List<SimulatedStudy.Options> all() {
    List<SimulatedStudy.Options> all = new ArrayList<>();
    for (Variant variant : Variant.parse(variants)) {
      boolean index = variant == Variant.CANOPY;
      List<ClientPlace> places = index ? clients : List.of(ClientPlace.NODES);
      for (Keys choice : keys) {
        for (int arity : index ? arities.subList(0, 1) : arities) {
          addSizes(all, variant, places, choice, arity);
        }
      }
    }
    return all;
  }

  private void addSizes(
      List<SimulatedStudy.Options> all,
      Variant variant,
      List<ClientPlace> places,
      Keys choice,
      int arity) {
    for (int size : nodes) {
      for (long count : records) {
        all.add(
            new SimulatedStudy.Options(
                variant,
                size,
                count,
                arity,
                clientsPerNode,
                places,
                choice == Keys.UNIFORM,
                millis));
      }
    }
  }
}
