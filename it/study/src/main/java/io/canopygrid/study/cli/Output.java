package io.canopygrid.study.cli;

import io.canopygrid.study.load.Row;
import io.canopygrid.study.load.StudyReport;
import java.util.List;
import java.util.Locale;

/** The form in which a study prints its result. */
enum Output {
  TEXT,
  JSON;

  List<String> lines(List<Row> rows) {
    return this == JSON ? List.of(StudyReport.json(rows)) : StudyReport.table(rows);
  }

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
