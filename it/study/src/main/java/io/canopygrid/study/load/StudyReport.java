package io.canopygrid.study.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.server.terminal.TextTable;
import io.canopygrid.study.tree.Variant;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows as text and as JSON. */
public final class StudyReport {
  private StudyReport() {}

  /** A list of objects. */
  public static String json(List<Row> rows) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartArray();
      for (Row row : rows) {
        row.write(json);
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** A table, with each one's speed-up over the Baseline of its workload and grid. */
  public static List<String> table(List<Row> rows) {
    TextTable table =
        new TextTable(
            List.of(
                "variant",
                "workload",
                "nodes",
                "requests/tx",
                "messages/tx",
                "aborts",
                "ops/s",
                "p50 µs",
                "p99 µs",
                "speed-up",
                "paper"));
    for (Row row : rows) {
      table.add(
          List.of(
              row.variant().label(),
              row.workload().label(),
              Integer.toString(row.nodes()),
              decimal(row.remoteRequestsPerTx(), 2),
              decimal(row.messagesPerCommit(), 2),
              Long.toString(row.aborts()),
              decimal(row.operationsPerSecond(), 0),
              decimal(row.p50Micros(), 0),
              decimal(row.p99Micros(), 0),
              speedUp(row, rows),
              paper(row.variant())));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "paper: 6.6 of Sub-trees, 2.5 of Dirty, 1.9 of TopFull; 5.4 of STI-BT over its best rival,"
            + " at 100 machines");
    return lines;
  }

  private static String speedUp(Row row, List<Row> rows) {
    return rows.stream()
        .filter(other ->
            other.variant() == Variant.BASELINE
                && other.workload() == row.workload()
                && other.nodes() == row.nodes())
        .findFirst()
        .map(base -> decimal(row.operationsPerSecond() / base.operationsPerSecond(), 2) + "x")
        .orElse("-");
  }

  /** The figure of the paper for a variant; "-": nothing is known here. */
  private static String paper(Variant variant) {
    return switch (variant) {
      case BASELINE -> "1x";
      case SUB_TREES -> "6.6x";
      case DIRTY -> "2.5x";
      case TOP_FULL -> "1.9x";
      case ALL_INNER, FIXED_AT_2 -> "-";
      case CANOPY -> "(5.4x)";
    };
  }

  private static String decimal(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
