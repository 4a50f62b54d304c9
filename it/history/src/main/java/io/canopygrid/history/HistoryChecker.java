package io.canopygrid.history;

import java.util.List;

/**
 * Decides whether a history keeps a model (see the package). Exact where the history gives the
 * order of all versions, as lists and rows do once they are read at the end; a verdict that is not
 * exact says so.
 *
 * <p>Linear in the size of the history but for the searches of {@link Snapshots}, which stay among
 * transactions that ran at about the same time.
 */
public final class HistoryChecker {
  private final History history;
  private final List<Txn> txns;
  private final Model model;
  private final boolean ordered;
  private final Findings findings = new Findings();
  private int edges;

  private HistoryChecker(History history, Model model, boolean ordered) {
    this.history = history;
    this.txns = history.txns();
    this.model = model;
    this.ordered = ordered;
  }

  /**
   * Checks a whole history. A history of single keys is checked for linearizability, whatever the
   * model.
   *
   * @param ordered whether the order of each client's transactions counts too, as causal tokens
   *     promise; if not, a client that goes back in time is told as a note
   */
  public static Verdict check(History history, Model model, boolean ordered) {
    Verdict verdict = new HistoryChecker(history, model, ordered).check();
    if (ordered || !verdict.clean()) {
      return verdict;
    }
    Verdict strict = new HistoryChecker(history, model, true).check();
    return strict.clean()
        ? verdict
        : verdict.with("the order of sessions is broken: " + strict.findings().get(0));
  }

  private Verdict check() {
    if (history.header().workload() == Workload.SINGLE_KEY) {
      return SingleKeys.check(txns);
    }
    Observations observations =
        switch (history.header().workload()) {
          case LIST_APPEND -> ListAppend.observe(txns, findings);
          case RW_REGISTER -> Registers.observe(txns, findings);
          case INDEX_SCAN -> IndexScans.observe(txns, findings);
          case SINGLE_KEY -> throw new IllegalStateException("not of transactions");
        };
    Words words = new Words(txns, observations);
    reportIntermediate(observations, words);
    LooseOrders orders = new LooseOrders(observations.timelines());
    findings.addAll(orders.best(() -> reportOrder(observations, words)));
    int updates = 0;
    int committed = 0;
    for (int txn = 0; txn < txns.size(); txn++) {
      updates += observations.committed(txn) ? 1 : 0;
      committed += txns.get(txn).status() == Txn.Status.OK ? 1 : 0;
    }
    boolean exact = !orders.tooMany();
    if (!exact) {
      findings.note("too many orders of versions are possible: some violations would not be seen");
    }
    return findings.verdict(exact, committed, updates, edges);
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

  /** Reports the anomalies under one order of the versions. */
  private Findings reportOrder(Observations observations, Words words) {
    Findings ofOrder = new Findings();
    Sessions sessions = new Sessions(txns);
    Workload workload = history.header().workload();
    List<int[]> order = ordered ? sessions.all() : List.of();
    Graph graph = Dependencies.graph(txns, observations, observations::committed, order);
    edges = graph.edges();
    int[] component = new UpdateCycles(graph, workload, words, ofOrder).report();
    Graph acyclic = ofOrder.isEmpty() ? graph : graph.withoutInner(component);
    new Snapshots(txns, observations, acyclic, workload, words, ofOrder).report(sessions, ordered);
    if (ofOrder.isEmpty()) {
      reportForks(observations, sessions, words, ofOrder);
    }
    if (ordered) {
      sessions.report(txns, observations, words, ofOrder);
    }
    RealTime realTime = new RealTime(txns, observations);
    realTime.reportLost(words, ofOrder);
    if (ofOrder.isEmpty()) {
      realTime.note(words, ofOrder);
    }
    return ofOrder;
  }

  /** Transactions that only read and do not fit in together, where they must. */
  private void reportForks(
      Observations observations, Sessions sessions, Words words, Findings ofOrder) {
    Forks forks = new Forks(txns, observations, history.header().workload(), words, ofOrder);
    if (model == Model.SERIALIZABLE) {
      forks.reportAll(ordered ? sessions.all() : List.of());
    } else if (!ordered) {
      forks.reportWithinSessions(sessions);
    }
  }
}
