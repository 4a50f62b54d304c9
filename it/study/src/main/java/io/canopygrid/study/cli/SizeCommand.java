package io.canopygrid.study.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.TextTable;
import io.canopygrid.study.grid.StudyCluster;
import io.canopygrid.study.load.SizeStudy;
import io.canopygrid.study.load.SizeStudy.Control;
import io.canopygrid.study.load.SizeStudy.Point;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
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
          + " machine: of keys at other nodes, and of those at this one.",
      "Beside it, by turns with it: look-ups of 64 keys of the same index, and of the same keys in"
          + " a skip list and a hash map of the JDK."
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

  private static double micros(Histogram nanos, double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e3;
  }

  /** The measurement of a size; a control's is null where there is none. */
  private static @Nullable Histogram of(Point point, @Nullable Control control) {
    return control == null ? point.nanos() : point.controls().get(control);
  }

  /** The median against that of one key at the same place. */
  private static double growth(Point point, @Nullable Control control, List<Point> points) {
    Point one =
        points.stream()
            .filter(other -> other.remote() == point.remote() && other.keys() == 1)
            .findFirst()
            .orElseThrow();
    return micros(Objects.requireNonNull(of(point, control)), 50)
        / micros(Objects.requireNonNull(of(one, control)), 50);
  }

  private static List<String> table(List<Point> points) {
    List<String> head =
        new ArrayList<>(List.of("keys", "at", "look-ups", "p50 µs", "p95 µs", "times one key's"));
    for (Control control : Control.values()) {
      head.addAll(List.of(label(control) + ": p50 µs", "times"));
    }
    TextTable table = new TextTable(head);
    for (Point point : points) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  Long.toString(point.keys()),
                  point.remote() ? "another node" : "this node",
                  Long.toString(point.nanos().getTotalCount()),
                  decimal(micros(point.nanos(), 50)),
                  decimal(micros(point.nanos(), 95)),
                  decimal(growth(point, null, points))));
      for (Control control : Control.values()) {
        Histogram nanos = of(point, control);
        row.add(nanos == null ? "" : decimal(micros(nanos, 50)));
        row.add(nanos == null ? "" : decimal(growth(point, control, points)));
      }
      table.add(row);
    }
    return table.lines();
  }

  private static String label(Control control) {
    return control.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  private static String json(List<Point> points) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartArray();
      for (Point point : points) {
        json.writeStartObject();
        json.writeNumberField("keys", point.keys());
        json.writeBooleanField("remote", point.remote());
        write(json, point, null, points);
        for (Control control : point.controls().keySet()) {
          json.writeObjectFieldStart(control.name().toLowerCase(Locale.ROOT));
          write(json, point, control, points);
          json.writeEndObject();
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return text.toString();
  }

  private static void write(
      JsonGenerator json, Point point, @Nullable Control control, List<Point> points)
      throws IOException {
    Histogram nanos = Objects.requireNonNull(of(point, control));
    json.writeNumberField("lookups", nanos.getTotalCount());
    json.writeNumberField("p50_us", micros(nanos, 50));
    json.writeNumberField("p95_us", micros(nanos, 95));
    json.writeNumberField("growth", growth(point, control, points));
  }
}
