package io.canopygrid.server.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.terminal.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes rows as a table, or each row as a line of JSON. Confined to one thread. */
final class Rows {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Rows of a table are held back until its columns are known. */
  private static final int TABLE_ROWS = 200;

  private final PrintWriter out;
  private final OutputFormat output;
  private final List<String> headings;
  private List<List<String>> held = new ArrayList<>();

  Rows(PrintWriter out, OutputFormat output, String... headings) {
    this.out = out;
    this.output = output;
    this.headings = List.of(headings);
  }

  /** Adds a row, which has a value for each heading. */
  void add(@Nullable Object... values) {
    if (output == OutputFormat.JSON) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      for (int i = 0; i < values.length; i++) {
        object.put(headings.get(i), values[i]);
      }
      out.println(Printable.json(json(object)));
      return;
    }
    List<String> cells = new ArrayList<>();
    for (Object value : values) {
      cells.add(value == null ? "-" : Printable.line(value.toString()));
    }
    held.add(cells);
    if (held.size() == TABLE_ROWS) {
      end();
    }
  }

  /** Writes the rows that are held back. */
  void end() {
    if (!held.isEmpty()) {
      TextTable table = new TextTable(headings);
      held.forEach(table::add);
      table.lines().forEach(out::println);
      held = new ArrayList<>();
    }
    out.flush();
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
