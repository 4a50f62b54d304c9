package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.List;

/** Writes small histories by hand: one transaction after the other, unless said otherwise. */
final class Story {
  private static final long STEP_NANOS = 1_000;

  private final Workload workload;
  private final List<Txn> txns = new ArrayList<>();
  private long nanos;

  Story(Workload workload) {
    this.workload = workload;
  }

  static Story lists() {
    return new Story(Workload.LIST_APPEND);
  }

  static Story registers() {
    return new Story(Workload.RW_REGISTER);
  }

  static Story scans() {
    return new Story(Workload.INDEX_SCAN);
  }

  Story ok(int process, Op... ops) {
    return add(process, Status.OK, false, ops);
  }

  Story fail(int process, Op... ops) {
    return add(process, Status.FAIL, false, ops);
  }

  Story info(int process, Op... ops) {
    return add(process, Status.INFO, false, ops);
  }

  /** A read of the end of the run. */
  Story fin(int process, Op... ops) {
    return add(process, Status.OK, true, ops);
  }

  Story add(int process, Status status, boolean fin, Op... ops) {
    nanos += STEP_NANOS;
    txns.add(
        new Txn(
            2L * txns.size(),
            process,
            "",
            status,
            nanos,
            nanos + STEP_NANOS / 2,
            fin,
            status == Status.FAIL ? "conflict" : "",
            List.of(ops)));
    return this;
  }

  History history() {
    HistoryHeader header =
        new HistoryHeader(workload, 0, List.of("n1"), 1, "test", "none", "2026-01-01T00:00:00Z");
    return new History(header, txns, List.of());
  }

  /** Against the guarantee of the default isolation, sessions included. */
  Verdict check() {
    return check(Model.EXTENDED_UPDATE_SERIALIZABLE, true);
  }

  Verdict check(Model model, boolean ordered) {
    return HistoryChecker.check(history(), model, ordered);
  }
}
