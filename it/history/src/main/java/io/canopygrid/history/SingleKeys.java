package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks operations on single keys for linearizability (Herlihy and Wing, 1990), one key after the
 * other: that is enough, since linearizability is local.
 */
final class SingleKeys {
  private SingleKeys() {}

  static Verdict check(List<Txn> txns) {
    Findings findings = new Findings();
    Map<String, List<Txn>> byKey = new LinkedHashMap<>();
    int updates = 0;
    int committed = 0;
    for (Txn txn : txns) {
      boolean ok = txn.status() == Status.OK;
      committed += ok ? 1 : 0;
      updates += ok && txn.writes() ? 1 : 0;
      // A failed transaction did nothing, and a read of unknown outcome shows nothing.
      if (ok || (txn.status() == Status.INFO && txn.writes())) {
        byKey.computeIfAbsent(txn.ops().get(0).key(), key -> new ArrayList<>()).add(txn);
      }
    }
    boolean exact = true;
    for (Map.Entry<String, List<Txn>> entry : byKey.entrySet()) {
      Linearization search = new Linearization(entry.getValue());
      switch (search.run()) {
        case YES -> {}
        case NO ->
            findings.add(
                Anomaly.NOT_LINEARIZABLE,
                () ->
                    "no order of the "
                        + entry.getValue().size()
                        + " operations on "
                        + entry.getKey()
                        + " within their times explains "
                        + search.obstacle());
        case UNKNOWN -> {
          exact = false;
          findings.note("too many orders are possible on " + entry.getKey());
        }
      }
    }
    return findings.verdict(exact, committed, updates, 0);
  }
}
