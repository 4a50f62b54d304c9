package io.canopygrid.study.scale;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.server.terminal.TextTable;
import io.canopygrid.study.load.Row;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Points of curves as text and as JSON. */
public final class ScaleReport {
  private ScaleReport() {}

  /** A list of objects. */
  public static String json(List<ScaleRow> rows) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartArray();
      for (ScaleRow row : rows) {
        row.write(json);
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** A table, with each one's throughput per node against that of the smallest grid. */
  public static List<String> table(List<ScaleRow> rows) {
    TextTable table =
        new TextTable(
            List.of(
                "variant",
                "workload",
                "clients",
                "keys",
                "nodes",
                "records",
                "arity",
                "requests/tx",
                "messages/tx",
                "aborts",
                "ops/s",
                "efficiency",
                "p50 µs",
                "p99 µs",
                "cores busy",
                "busiest",
                "lock"));
    for (ScaleRow point : rows) {
      Row row = point.row();
      table.add(
          List.of(
              row.variant().label(),
              row.workload().label(),
              point.clients(),
              point.keys(),
              Integer.toString(row.nodes()),
              Long.toString(point.records()),
              Integer.toString(point.arity()),
              decimal(row.remoteRequestsPerTx(), 2),
              decimal(row.messagesPerCommit(), 2),
              Long.toString(row.aborts()),
              decimal(row.operationsPerSecond(), 0),
              decimal(efficiency(point, rows), 2),
              decimal(row.p50Micros(), 0),
              decimal(row.p99Micros(), 0),
              decimal(point.coreBusy(), 2),
              decimal(point.coreBusyMost(), 2),
              decimal(point.lockBusyMost(), 2)));
    }
    return table.lines();
  }

  /** Throughput per node against that of the same curve's smallest grid. */
  static double efficiency(ScaleRow point, List<ScaleRow> rows) {
    double base =
        rows.stream()
            .filter(other -> isSameCurve(other, point))
            .min(Comparator.comparingInt(other -> other.row().nodes()))
            .map(ScaleReport::perNode)
            .orElseThrow();
    return perNode(point) / base;
  }

  private static double perNode(ScaleRow point) {
    return point.row().operationsPerSecond() / point.row().nodes();
  }

  static boolean isSameCurve(ScaleRow one, ScaleRow other) {
    return curve(one).equals(curve(other));
  }

  /** The name of a curve over the number of nodes. */
  static String curve(ScaleRow point) {
    return point.row().variant().label()
        + " "
        + point.row().workload().label()
        + ", clients "
        + point.clients()
        + (point.keys().equals("uniform") ? "" : ", keys " + point.keys())
        + (point.arity() == 8 ? "" : ", arity " + point.arity())
        + (point.records() == 20_000 ? "" : ", " + point.records() + " records");
  }

  private static String decimal(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
