package io.canopygrid.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The transactions that were asked to write each element of each key. */
final class Elements {
  static final int NOBODY = -1;

  private final Map<String, Map<Long, Integer>> writers = new HashMap<>();

  Elements(List<Txn> txns) {
    for (int txn = 0; txn < txns.size(); txn++) {
      for (Op op : txns.get(txn).ops()) {
        if (op.kind().isWrite()) {
          Map<Long, Integer> ofKey = writers.computeIfAbsent(op.key(), key -> new HashMap<>());
          if (ofKey.put(op.element(), txn) != null) {
            throw new MalformedHistoryException(
                "an element is written once: " + op + " by " + txns.get(txn) + " and before");
          }
        }
      }
    }
  }

  /** The transaction that was to write an element, or {@link #NOBODY}. */
  int writer(String key, long element) {
    return writers.getOrDefault(key, Map.of()).getOrDefault(element, NOBODY);
  }

  /** All elements of a key with their writers. */
  Map<Long, Integer> of(String key) {
    return writers.getOrDefault(key, Map.of());
  }

  Iterable<String> keys() {
    return writers.keySet();
  }
}
