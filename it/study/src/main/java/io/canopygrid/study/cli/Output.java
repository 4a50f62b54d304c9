package io.canopygrid.study.cli;

import io.canopygrid.study.load.Report;
import io.canopygrid.study.load.Row;
import java.util.List;
import java.util.Locale;

/** The form in which a study prints its result. */
enum Output {
  TEXT,
  JSON;

  List<String> lines(List<Row> rows) {
    return this == JSON ? List.of(Report.json(rows)) : Report.table(rows);
  }

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
