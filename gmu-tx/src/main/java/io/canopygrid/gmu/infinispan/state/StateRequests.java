package io.canopygrid.gmu.infinispan.state;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.StateRequest;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a learner ask for few shards at a time. So a node that has them keeps few chunks for it, and
 * makes them in few steps at a time, between which transactions go on. A request is made anew in
 * each topology, and again where nothing came for long; a request that waits here is replaced by
 * the next request for its shard. Thread-safe.
 */
final class StateRequests {
  /** Shards asked for whose state is not complete. */
  static final int AT_ONCE = 4;

  // Guarded by this object; all of one topology.
  private final Set<Integer> asked = new HashSet<>();
  private final Map<Integer, Asked> waiting = new LinkedHashMap<>();
  private long topology;

  /** A request, and the node that gets it. */
  record Asked(NodeId of, StateRequest request) {}

  /** Whether a request can be sent now; it is kept for later otherwise. */
  synchronized boolean mayAsk(NodeId of, StateRequest request) {
    if (request.topology() < topology) {
      return false;
    }
    if (request.topology() > topology) {
      topology = request.topology();
      asked.clear();
      waiting.clear();
    }
    if (asked.contains(request.shard()) || asked.size() < AT_ONCE) {
      asked.add(request.shard());
      check();
      return true;
    }
    waiting.merge(
        request.shard(),
        new Asked(of, request),
        (a, b) -> a.request().request() > b.request().request() ? a : b);
    check();
    return false;
  }

  /** A shard is complete; the request that can be sent now. */
  synchronized @Nullable Asked synced(long inTopology, int shard) {
    if (inTopology != topology) {
      return null;
    }
    asked.remove(shard);
    waiting.remove(shard);
    Iterator<Asked> first = waiting.values().iterator();
    if (asked.size() >= AT_ONCE || !first.hasNext()) {
      return null;
    }
    Asked next = first.next();
    first.remove();
    asked.add(next.request().shard());
    check();
    return next;
  }

  /** A request waits only while as many shards are asked for as may be. */
  private void check() {
    Invariant.holds(
        asked.size() <= AT_ONCE && (waiting.isEmpty() || asked.size() == AT_ONCE),
        "asked for %s, %s wait",
        asked,
        waiting.keySet());
  }
}
