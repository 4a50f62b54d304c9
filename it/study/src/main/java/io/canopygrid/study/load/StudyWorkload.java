package io.canopygrid.study.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The operations of clients. The first six are the mixes of YCSB's core workloads A, B, C, D, E and
 * F under the names that the paper uses; the others are single operations, for what each costs.
 */
public enum StudyWorkload {
  /** Half look-ups, half updates. */
  BALANCED("Balanced", 50, 50, 0, 0, 0, Keys.ZIPF),
  /** 95 % look-ups, 5 % updates. */
  READ_DOMINATED("Read-Dominated", 95, 5, 0, 0, 0, Keys.ZIPF),
  /** Look-ups. */
  READ_ONLY("Read-Only", 100, 0, 0, 0, 0, Keys.ZIPF),
  /** 95 % look-ups of what was inserted last, 5 % inserts. */
  READ_LATEST("Read-Latest", 95, 0, 5, 0, 0, Keys.LATEST),
  /** 95 % scans of 1 to 100 entries, 5 % inserts. */
  SCAN_HEAVY("Scan-Heavy", 0, 0, 5, 95, 0, Keys.ZIPF),
  /** Half look-ups, half read-modify-writes. */
  RMW("RMW", 50, 0, 0, 0, 50, Keys.ZIPF),
  /** One look-up. */
  LOOKUP("Lookup", 100, 0, 0, 0, 0, Keys.UNIFORM),
  /** One put without a read. */
  BLIND_PUT("Blind-Put", 0, 100, 0, 0, 0, Keys.UNIFORM),
  /** One put without a read, by a registered function. */
  PUT_BY_FUNCTION("Put-By-Function", 0, 100, 0, 0, 0, Keys.UNIFORM),
  /** One read-modify-write, by a registered function. */
  RMW_BY_FUNCTION("RMW-By-Function", 0, 0, 0, 0, 100, Keys.UNIFORM),
  /** One scan of 100 entries. */
  SCAN_OF_100("Scan-Of-100", 0, 0, 0, 100, 0, Keys.UNIFORM);

  /** The way in which keys are chosen. */
  enum Keys {
    UNIFORM,
    /** A few are asked for most often, scattered over all keys. */
    ZIPF,
    /** The records inserted last are asked for most often. */
    LATEST
  }

  private final String label;
  final int gets;
  final int puts;
  final int inserts;
  final int scans;
  final int updates;
  final Keys keys;

  StudyWorkload(String label, int gets, int puts, int inserts, int scans, int updates, Keys keys) {
    this.label = label;
    this.gets = gets;
    this.puts = puts;
    this.inserts = inserts;
    this.scans = scans;
    this.updates = updates;
    this.keys = keys;
  }

  /** The name in results. */
  public String label() {
    return label;
  }

  /** Whether all it does is to scan 100 entries. */
  public boolean scansHundred() {
    return this == SCAN_OF_100;
  }

  /** The paper's workloads. */
  public static List<StudyWorkload> ofPaper() {
    return Arrays.stream(values()).filter(workload -> workload.compareTo(RMW) <= 0).toList();
  }

  /**
   * Workloads by their labels, with commas; {@code paper} are the paper's, {@code operations} the
   * single operations, {@code all} both.
   *
   * @throws IllegalArgumentException for a name that is none
   */
  public static List<StudyWorkload> parse(String names) {
    return switch (names) {
      case "all" -> List.of(values());
      case "paper" -> ofPaper();
      case "operations" ->
          Arrays.stream(values()).filter(workload -> workload.compareTo(RMW) > 0).toList();
      default ->
          Arrays.stream(names.split(","))
              .map(String::trim)
              .map(StudyWorkload::of)
              .distinct()
              .toList();
    };
  }

  private static StudyWorkload of(String name) {
    for (StudyWorkload workload : values()) {
      if (workload.label.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return workload;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "workload must be one of %s, or paper, operations or all: %s",
            Arrays.stream(values()).map(StudyWorkload::label).toList(),
            name));
  }

  @Override
  public String toString() {
    return label;
  }
}
