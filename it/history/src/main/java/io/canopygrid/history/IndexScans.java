package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads the order of versions off scans: each row of a range is absent first and then present, and
 * a scan sees one of the two of each row, so also of those that are not there yet.
 */
final class IndexScans {
  private static final int ABSENT = 0;
  private static final int PRESENT = 1;

  private final List<Txn> txns;
  private final Findings findings;
  private final Elements elements;
  private final Map<String, List<Row>> ranges = new HashMap<>();

  private IndexScans(List<Txn> txns, Findings findings) {
    this.txns = txns;
    this.findings = findings;
    this.elements = new Elements(txns);
  }

  static Observations observe(List<Txn> txns, Findings findings) {
    return new IndexScans(txns, findings).observe();
  }

  private Observations observe() {
    Observations observations = new Observations(txns.size());
    for (int txn = 0; txn < txns.size(); txn++) {
      Txn one = txns.get(txn);
      if (one.status() == Status.OK && one.writes()) {
        observations.commit(txn);
      }
      for (Op op : one.ops()) {
        if (op.kind() == Op.Kind.SCAN) {
          commitWriters(txn, op, observations);
        }
      }
    }
    for (String range : elements.keys()) {
      List<Row> rows = new ArrayList<>();
      elements
          .of(range)
          .forEach((row, adder) -> {
            if (observations.committed(adder)) {
              rows.add(new Row(row, adder, observations.add(timeline(range, row, adder))));
            }
          });
      ranges.put(range, rows);
    }
    for (int txn = 0; txn < txns.size(); txn++) {
      addScans(txn, observations);
    }
    observations.seal(txns.size());
    return observations;
  }

  private void commitWriters(int txn, Op scan, Observations observations) {
    for (long row : scan.observed()) {
      int adder = elements.writer(scan.key(), row);
      boolean others = adder != Elements.NOBODY && adder != txn;
      if (others && txns.get(adder).status() == Status.INFO) {
        observations.commit(adder);
      }
    }
  }

  private static Timeline timeline(String range, long row, int adder) {
    return new Timeline(
        range + "/" + row, new int[] {Timeline.NONE, adder}, List.of(new int[] {ABSENT, PRESENT}));
  }

  private void addScans(int txn, Observations observations) {
    List<Op> ops = txns.get(txn).ops();
    Map<String, Set<Long>> before = new HashMap<>();
    for (int i = 0; i < ops.size(); i++) {
      Op scan = ops.get(i);
      if (scan.kind() != Op.Kind.SCAN || !scan.executed()) {
        continue;
      }
      Set<Long> outside = outside(txn, i);
      Set<Long> first = before.putIfAbsent(scan.key(), outside);
      if (first != null) {
        if (!first.equals(outside)) {
          findings.add(
              Anomaly.INTERNAL,
              () -> txns.get(txn) + " scanned " + scan.key() + " as " + first + ", later " + scan);
        }
        continue;
      }
      for (Row row : ranges.getOrDefault(scan.key(), List.of())) {
        if (row.adder != txn) {
          observations.saw(txn, row.timeline, outside.contains(row.row) ? PRESENT : ABSENT);
        }
      }
      observations.endOfRead(txn);
    }
  }

  /** The rows of a scan that others added, the scan checked. */
  private Set<Long> outside(int txn, int i) {
    List<Op> ops = txns.get(txn).ops();
    Op scan = ops.get(i);
    Set<Long> rows = new HashSet<>();
    for (long row : scan.observed()) {
      int adder = elements.writer(scan.key(), row);
      if (!rows.add(row)) {
        report(Anomaly.DUPLICATE_ELEMENT, txn, scan, row);
      } else if (adder == Elements.NOBODY) {
        report(Anomaly.UNKNOWN_ELEMENT, txn, scan, row);
      } else if (txns.get(adder).status() == Status.FAIL && adder != txn) {
        report(Anomaly.ABORTED_READ, txn, scan, row);
      }
    }
    for (int j = 0; j < ops.size(); j++) {
      Op op = ops.get(j);
      if (op.kind() == Op.Kind.ADD
          && op.key().equals(scan.key())
          && rows.remove(op.element()) != (j < i)) {
        report(Anomaly.INTERNAL, txn, scan, op.element());
      }
    }
    return rows;
  }

  private void report(Anomaly anomaly, int txn, Op scan, long row) {
    int adder = elements.writer(scan.key(), row);
    String by = adder == Elements.NOBODY ? "nobody" : Objects.toString(txns.get(adder));
    String seen = Arrays.stream(scan.observed()).anyMatch(r -> r == row) ? "saw" : "missed";
    findings.add(
        anomaly,
        () ->
            txns.get(txn)
                + " scanned "
                + scan.key()
                + " and "
                + seen
                + " "
                + row
                + ", added by "
                + by);
  }

  private record Row(long row, int adder, int timeline) {}
}
