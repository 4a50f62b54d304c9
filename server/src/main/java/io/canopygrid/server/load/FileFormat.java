package io.canopygrid.server.load;

import java.util.Locale;
import java.util.Optional;

/** The format of a file of records. */
public enum FileFormat {
  /** Comma-separated values; the first line names the columns. */
  CSV,
  /** JSON objects. */
  JSON;

  /** The format that a file's name says. */
  public static Optional<FileFormat> of(String fileName) {
    String lower = fileName.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".csv")) {
      return Optional.of(CSV);
    }
    boolean json = lower.endsWith(".json") || lower.endsWith(".jsonl") || lower.endsWith(".ndjson");
    return json ? Optional.of(JSON) : Optional.empty();
  }
}
