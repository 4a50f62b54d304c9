package io.canopygrid.server.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text. The table's columns are as wide as their cells need; the first is aligned to the
 * left, the others to the right.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** An empty table with these headings. */
  public TextTable(List<String> headings) {
    rows.add(List.copyOf(headings));
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if the row has not as many cells as the table has headings
   */
  public void add(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "a row must have " + rows.get(0).size() + " cells: " + cells);
    }
    rows.add(List.copyOf(cells));
  }

  /** The lines of the table; the first has the headings, the second underlines them. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row, widths));
      if (lines.size() == 1) {
        lines.add("-".repeat(lines.get(0).length()));
      }
    }
    return lines;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      String padding = " ".repeat(widths[c] - row.get(c).length());
      line.append(c == 0 ? row.get(c) + padding : GAP + padding + row.get(c));
    }
    return line.toString();
  }
}
