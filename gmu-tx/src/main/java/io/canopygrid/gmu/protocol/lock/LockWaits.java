package io.canopygrid.gmu.protocol.lock;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.lock.LockTable.Obstacle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for locks at one shard's primary, each behind one transaction that stands
 * in its way: a holder, or an older request that wants the header of one of its kcls exclusively.
 * Only when that one is gone is it tried again. A request behind an older one keeps a busy kcl from
 * starving whoever wants to change its structure; as requests wait behind older ones and holders
 * only, there is no ring here.
 */
public final class LockWaits {
  private final Map<TxId, Waiting> waiting = new LinkedHashMap<>();
  private final Map<TxId, Set<TxId>> behind = new HashMap<>();
  private final Map<CompositeKey, Set<TxId>> exclusiveHeaders = new HashMap<>();
  private long arrivals;

  /** A waiting request: its place in the order of arrival, and what it waits for. */
  public static final class Waiting {
    private final LockRequest request;
    private final long arrival;
    private Obstacle obstacle;

    private Waiting(LockRequest request, long arrival, Obstacle obstacle) {
      this.request = request;
      this.arrival = arrival;
      this.obstacle = obstacle;
    }

    LockRequest request() {
      return request;
    }

    public Obstacle obstacle() {
      return obstacle;
    }
  }

  /** Lets a request wait, or wait for another one than before; true where it is new. */
  public boolean add(LockRequest request, Obstacle obstacle) {
    TxId tid = request.rec().tid();
    Waiting known = waiting.get(tid);
    if (known == null) {
      waiting.put(tid, new Waiting(request, arrivals++, obstacle));
      for (CompositeKey header : request.headers()) {
        if (request.writes(header)) {
          exclusiveHeaders.computeIfAbsent(header, h -> new LinkedHashSet<>()).add(tid);
        }
      }
    } else {
      known.obstacle = obstacle;
    }
    behind.computeIfAbsent(obstacle.holder().rec().tid(), t -> new LinkedHashSet<>()).add(tid);
    return known == null;
  }

  /** Ends a wait; null where there was none. */
  public @Nullable Waiting remove(TxId tid) {
    Waiting gone = waiting.remove(tid);
    if (gone == null) {
      return null;
    }
    TxId ahead = gone.obstacle.holder().rec().tid();
    Set<TxId> others = behind.get(ahead);
    if (others != null && others.remove(tid) && others.isEmpty()) {
      behind.remove(ahead);
    }
    for (CompositeKey header : gone.request.headers()) {
      Set<TxId> wanting = exclusiveHeaders.get(header);
      if (wanting != null && wanting.remove(tid) && wanting.isEmpty()) {
        exclusiveHeaders.remove(header);
      }
    }
    return gone;
  }

  /** The requests that waited behind a transaction that is gone, the oldest first. */
  public List<LockRequest> takeBehind(TxId gone) {
    Set<TxId> freed = behind.remove(gone);
    if (freed == null) {
      return List.of();
    }
    List<Waiting> woken = new ArrayList<>();
    for (TxId tid : freed) {
      woken.add(Invariant.present(waiting.get(tid), "behind another, and does not wait"));
    }
    woken.sort(Comparator.comparingLong(w -> w.arrival));
    return woken.stream().map(w -> w.request).toList();
  }

  /** An older request that wants one of this one's headers exclusively; null: none. */
  public @Nullable Obstacle olderForHeader(LockRequest request) {
    if (exclusiveHeaders.isEmpty()) {
      return null;
    }
    Waiting own = waiting.get(request.rec().tid());
    long arrival = own == null ? Long.MAX_VALUE : own.arrival;
    for (CompositeKey header : request.headers()) {
      for (TxId tid : exclusiveHeaders.getOrDefault(header, Set.of())) {
        Waiting other = Invariant.present(waiting.get(tid), "wants a header, and does not wait");
        if (other.arrival < arrival) {
          return new Obstacle(other.request, header, false);
        }
      }
    }
    return null;
  }

  /** Whether one that came before a request waits behind a transaction. */
  public boolean isOlderBehind(TxId ahead, LockRequest request) {
    Set<TxId> others = behind.get(ahead);
    if (others == null) {
      return false;
    }
    Waiting own = waiting.get(request.rec().tid());
    for (TxId tid : others) {
      Waiting other = Invariant.present(waiting.get(tid), "behind another, and does not wait");
      if (own == null || other.arrival < own.arrival) {
        return true;
      }
    }
    return false;
  }

  public List<LockRequest> all() {
    return waiting.values().stream().map(w -> w.request).toList();
  }

  public int size() {
    return waiting.size();
  }
}
