package io.canopygrid.it.history;

import java.util.List;

/**
 * Decides whether a history keeps extended update serializability (see the package). Exact where
 * the history gives the order of all versions, as lists and rows do once they are read at the end;
 * a note says so where it does not.
 *
 * <p>Linear in the size of the history but for the searches of {@link Snapshots}, which stay among
 * transactions that ran at about the same time.
 */
public final class HistoryChecker {
  private final History history;
  private final List<Txn> txns;
  private final Findings findings = new Findings();
  private int edges;

  private HistoryChecker(History history) {
    this.history = history;
    this.txns = history.txns();
  }

  /** Checks a whole history. */
  public static Verdict check(History history) {
    return new HistoryChecker(history).check();
  }

  private Verdict check() {
    Observations observations =
        switch (history.header().workload()) {
          case LIST_APPEND -> ListAppend.observe(txns, findings);
          case RW_REGISTER -> Registers.observe(txns, findings);
          case INDEX_SCAN -> IndexScans.observe(txns, findings);
        };
    Words words = new Words(txns, observations);
    reportIntermediate(observations, words);
    LooseOrders orders = new LooseOrders(observations.timelines());
    if (orders.tooMany()) {
      findings.note("too many orders of versions are possible: some violations would not be seen");
    }
    findings.addAll(orders.best(() -> reportOrder(observations, words)));
    int updates = 0;
    for (int txn = 0; txn < txns.size(); txn++) {
      updates += observations.committed(txn) ? 1 : 0;
    }
    return findings.verdict(updates, edges);
  }

  private void reportIntermediate(Observations observations, Words words) {
    for (int txn = 0; txn < txns.size(); txn++) {
      for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
        int t = observations.seenTimeline(o);
        int version = observations.seenVersion(o);
        int reader = txn;
        if (observations.timeline(t).intermediate(version)) {
          findings.add(
              Anomaly.INTERMEDIATE_READ,
              () ->
                  words.txn(reader)
                      + " read "
                      + words.timeline(t)
                      + " in the middle of "
                      + words.txn(observations.timeline(t).writer(version)));
        }
      }
    }
  }

  /** What is wrong under one order of the versions. */
  private Findings reportOrder(Observations observations, Words words) {
    Findings ofOrder = new Findings();
    Sessions sessions = new Sessions(txns);
    Graph graph = Dependencies.graph(txns, observations, sessions);
    edges = graph.edges();
    int[] component = new UpdateCycles(graph, words, ofOrder).report();
    Graph acyclic = ofOrder.isEmpty() ? graph : graph.withoutInner(component);
    new Snapshots(txns, observations, acyclic, history.header().workload(), words, ofOrder)
        .report(sessions);
    sessions.report(txns, observations, words, ofOrder);
    RealTime realTime = new RealTime(txns, observations);
    realTime.reportLost(words, ofOrder);
    if (ofOrder.isEmpty()) {
      realTime.note(words, ofOrder);
    }
    return ofOrder;
  }
}
