package io.canopygrid.server.shell;

import io.canopygrid.recovery.MissingReport;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.terminal.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The text of {@code canopy recover} on a report, for people. */
final class RecoverText {
  private static final int RANGES_MAX = 20;

  private RecoverText() {}

  static void print(PrintWriter out, MissingReport report) {
    line(out, report.waits());
    if (!report.missing().isEmpty()) {
      TextTable table =
          new TextTable(List.of("missing disk", "name", "address", "shards that no other has"));
      for (MissingReport.Disk disk : report.missing()) {
        table.add(
            List.of(
                Printable.line(disk.id()),
                known(disk.name()),
                known(disk.address()),
                shards(disk.shards(), report.shards())));
      }
      table.lines().forEach(out::println);
    }
    for (MissingReport.Disk disk : report.outOfDate()) {
      line(out, "out of date, although it is there: " + disk.id() + " " + known(disk.name()));
    }
    if (!report.countAsLost().isEmpty()) {
      line(out, "count as lost already: " + String.join(", ", report.countAsLost()));
    }
    line(out, "nodes that are there: " + String.join(", ", report.there()));
  }

  /** Prints what is lost without some disks. */
  static void printLoss(PrintWriter out, List<String> without, MissingReport report) {
    line(
        out,
        "without "
            + String.join(", ", without)
            + ", shards that have no copy left: "
            + shards(report.lost(), report.shards()));
    if (report.mayHaveGoneOn()) {
      line(
          out,
          "The disks that are not there could have gone on without the others. What they did then"
              + " would be lost as well, and nobody can say what that is.");
    }
  }

  /** As {@code 3 of 32: 0-1, 7}. */
  static String shards(List<Integer> shards, int all) {
    if (shards.isEmpty()) {
      return "none of " + all;
    }
    List<String> ranges = new ArrayList<>();
    int first = shards.get(0);
    int last = first;
    for (int shard : shards.subList(1, shards.size())) {
      if (shard != last + 1) {
        ranges.add(range(first, last));
        first = shard;
      }
      last = shard;
    }
    ranges.add(range(first, last));
    boolean isLong = ranges.size() > RANGES_MAX;
    String text = String.join(", ", isLong ? ranges.subList(0, RANGES_MAX) : ranges);
    return shards.size() + " of " + all + ": " + text + (isLong ? ", …" : "");
  }

  private static String range(int first, int last) {
    return first == last ? String.valueOf(first) : first + "-" + last;
  }

  private static String known(String text) {
    return text.isEmpty() ? "not known" : Printable.line(text);
  }

  private static void line(PrintWriter out, String text) {
    out.println(Printable.line(text));
  }
}
