package io.canopygrid.server.top;

import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.terminal.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table that is as wide as the terminal: where it has no room for all, the least
 * important ones are left out. Confined to one thread.
 *
 * @param <R> a row
 */
final class Columns<R> {
  /**
   * One column.
   *
   * @param rank the greater, the earlier it is left out
   * @param text a cell; null: it is not known
   */
  private record Column<R>(String heading, int rank, Function<R, @Nullable String> text) {}

  private final List<Column<R>> columns = new ArrayList<>();

  /** Adds one on the right side. */
  Columns<R> add(String heading, int rank, Function<R, @Nullable String> text) {
    columns.add(new Column<>(heading, rank, text));
    return this;
  }

  /** The lines of the table, none of which is wider. */
  List<String> lines(List<R> rows, int width) {
    List<Column<R>> shown = new ArrayList<>(columns);
    List<String> lines = lines(rows, shown);
    while (lines.get(0).length() > width && shown.size() > 1) {
      shown.remove(shown.stream().max(Comparator.comparingInt(Column::rank)).orElseThrow());
      lines = lines(rows, shown);
    }
    return lines.stream().map(line -> cut(line, width)).toList();
  }

  private List<String> lines(List<R> rows, List<Column<R>> shown) {
    TextTable table = new TextTable(shown.stream().map(Column::heading).toList());
    for (R row : rows) {
      List<String> cells = new ArrayList<>();
      for (Column<R> column : shown) {
        String text = column.text().apply(row);
        cells.add(text == null ? "-" : Printable.line(text));
      }
      table.add(cells);
    }
    return table.lines();
  }

  /** A text in lines of whole words, as far as these have room. */
  static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(cut(line.toString(), width));
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(cut(line.toString(), width));
    return lines;
  }

  /** The beginning of a line that is too long. */
  static String cut(String line, int width) {
    return line.length() <= width ? line : line.substring(0, width);
  }
}
