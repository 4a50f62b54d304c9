package io.canopygrid.it.study.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.it.study.grid.StudyCluster;
import io.canopygrid.it.study.load.SizeStudy;
import io.canopygrid.it.study.load.SizeStudy.Point;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy study size}. */
@Command(
    name = "size",
    description = {
      "Measure how the time of a look-up grows with the number of keys, on a cluster of this"
          + " machine: of keys at other nodes, and of those at this one."
    })
final class SizeCommand implements Callable<Integer> {
  private static final int POWER_MOST = 7;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes, this JVM included (${DEFAULT-VALUE}).")
  private int nodes = 3;

  @Option(
      names = "--power",
      paramLabel = "P",
      description = "The largest index has 10 to the power of this many keys (${DEFAULT-VALUE}).")
  private int power = 6;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "For each size, over all rounds (${DEFAULT-VALUE}).")
  private double seconds = 4;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Turns of each size, after one that warms up (${DEFAULT-VALUE}).")
  private int rounds = 8;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "text or json (${DEFAULT-VALUE}).")
  private Output output = Output.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    Narrator narrator = Narrator.onStandardError();
    List<Point> points;
    try (StudyCluster cluster = new StudyCluster(nodes, "1g", narrator)) {
      points = new SizeStudy(cluster.member(), narrator).run(power, seconds, rounds);
    }
    PrintWriter out = spec.commandLine().getOut();
    (output == Output.JSON ? List.of(json(points)) : table(points)).forEach(out::println);
    out.flush();
    return 0;
  }

  private void check() {
    String wrong =
        nodes < 2 || nodes > StudyCluster.NODES_MAX
            ? "nodes must be from 2 to " + StudyCluster.NODES_MAX + ": " + nodes
            : power < 0 || power > POWER_MOST
                ? "power must be from 0 to " + POWER_MOST + ": " + power
                : !(seconds > 0) || rounds < 1
                    ? "seconds must be > 0 and rounds >= 1: " + seconds + ", " + rounds
                    : "";
    if (!wrong.isEmpty()) {
      CanopyException coded = new CanopyException(ErrorCode.INVALID_ARGUMENT, wrong);
      throw new ParameterException(spec.commandLine(), coded.getMessage(), coded);
    }
  }

  private static double micros(Point point, double percentile) {
    return point.nanos().getValueAtPercentile(percentile) / 1e3;
  }

  /** The median against that of one key at the same place. */
  private static double growth(Point point, List<Point> points) {
    Point one =
        points.stream()
            .filter(other -> other.remote() == point.remote() && other.keys() == 1)
            .findFirst()
            .orElseThrow();
    return micros(point, 50) / micros(one, 50);
  }

  private static List<String> table(List<Point> points) {
    TextTable table =
        new TextTable(List.of("keys", "at", "look-ups", "p50 µs", "p95 µs", "times one key's"));
    for (Point point : points) {
      table.add(
          List.of(
              Long.toString(point.keys()),
              point.remote() ? "another node" : "this node",
              Long.toString(point.nanos().getTotalCount()),
              String.format(Locale.ROOT, "%.2f", micros(point, 50)),
              String.format(Locale.ROOT, "%.2f", micros(point, 95)),
              String.format(Locale.ROOT, "%.2f", growth(point, points))));
    }
    return table.lines();
  }

  private static String json(List<Point> points) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartArray();
      for (Point point : points) {
        json.writeStartObject();
        json.writeNumberField("keys", point.keys());
        json.writeBooleanField("remote", point.remote());
        json.writeNumberField("lookups", point.nanos().getTotalCount());
        json.writeNumberField("p50_us", micros(point, 50));
        json.writeNumberField("p95_us", micros(point, 95));
        json.writeNumberField("growth", growth(point, points));
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return text.toString();
  }
}
