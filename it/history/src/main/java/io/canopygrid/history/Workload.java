package io.canopygrid.history;

/** The work of a history's transactions; one kind for a whole history. */
public enum Workload {
  /** Keys hold lists; transactions read them and append elements, each unique per key. */
  LIST_APPEND("list-append"),
  /** Keys hold single values, each written at most once. */
  RW_REGISTER("rw-register"),
  /** Ranges hold sets of rows that only grow; transactions add rows and scan ranges. */
  INDEX_SCAN("index-scan"),
  /** Each operation is a transaction of its own on one key: read, write, cas or delete. */
  SINGLE_KEY("single-key");

  private final String label;

  Workload(String label) {
    this.label = label;
  }

  /** The name in the header line. */
  public String label() {
    return label;
  }

  static Workload of(String label) {
    for (Workload workload : values()) {
      if (workload.label.equals(label)) {
        return workload;
      }
    }
    throw new MalformedHistoryException(
        "workload must be list-append, rw-register, index-scan or single-key: workload=" + label);
  }
}
