package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.TxRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The order of a primary's commits (protocol.md, Prepare and Decide). A transaction stands here
 * <em>pending</em> at the number it was proposed, from its yes vote on, and <em>ready</em> at its
 * commit clock's number, which can be higher, from its decision on. The head is every entry with
 * the lowest number; it leaves in one piece, when all of it is ready.
 */
final class CommitQueue {
  private final Map<TxId, Entry> byTid = new HashMap<>();
  private final TreeMap<Long, List<Entry>> byNumber = new TreeMap<>();

  /** A place in the queue. */
  static final class Entry {
    private final TxRecord rec;
    private long number;
    private @Nullable VectorClock clock;

    /** The commit clock of an entry that will become ready for sure. */
    private @Nullable VectorClock certain;

    private Entry(TxRecord rec, long number) {
      this.rec = rec;
      this.number = number;
    }

    TxRecord rec() {
      return rec;
    }

    /** The commit clock of a ready entry. */
    VectorClock clock() {
      return Invariant.present(clock, "a pending entry has no clock");
    }
  }

  /** A transaction was voted for at this number. */
  void propose(TxRecord rec, long number) {
    Entry entry = new Entry(rec, number);
    Invariant.holds(byTid.put(rec.tid(), entry) == null, "proposed twice: %s", rec.tid());
    insert(entry);
  }

  /** A pending transaction is decided, with this clock; it is not ready yet. */
  void expect(TxId tid, VectorClock clock) {
    Entry entry = Invariant.present(byTid.get(tid), "decided, and not in the queue");
    entry.certain = clock;
  }

  /** The commit clock of a transaction that is decided; null: it is not, or is not here. */
  @Nullable VectorClock expected(TxId tid) {
    Entry entry = byTid.get(tid);
    return entry == null ? null : entry.clock != null ? entry.clock : entry.certain;
  }

  /** A pending transaction commits at this clock, and at this number. */
  void decide(TxId tid, VectorClock clock, long number) {
    Entry entry = Invariant.present(remove(tid), "decided, and not in the queue");
    Invariant.holds(entry.clock == null, "decided twice: %s", tid);
    Invariant.holds(number >= entry.number, "decided below its proposal: %s", tid);
    entry.clock = clock;
    entry.number = number;
    byTid.put(tid, entry);
    insert(entry);
  }

  /** Takes a transaction out; null where it is not in the queue. */
  @Nullable Entry remove(TxId tid) {
    Entry entry = byTid.remove(tid);
    if (entry != null) {
      List<Entry> same =
          Invariant.present(byNumber.get(entry.number), "queued, and not at its number");
      same.remove(entry);
      if (same.isEmpty()) {
        byNumber.remove(entry.number);
      }
    }
    return entry;
  }

  boolean contains(TxId tid) {
    return byTid.containsKey(tid);
  }

  boolean isReady(TxId tid) {
    Entry entry = byTid.get(tid);
    return entry != null && entry.clock != null;
  }

  /** The head, if all of it is ready, by transaction; else nothing. */
  List<Entry> pollDecided() {
    List<Entry> head = head();
    for (Entry entry : head) {
      if (entry.clock == null) {
        return List.of();
      }
    }
    head.forEach(entry -> remove(entry.rec.tid()));
    return head;
  }

  /**
   * The commits that are applied next: commits are applied in the order of their numbers (Decide).
   */
  List<Entry> head() {
    Map.Entry<Long, List<Entry>> lowest = byNumber.firstEntry();
    return lowest == null ? List.of() : inOneStep(lowest.getValue());
  }

  /** Commits with the same number are applied in one step (Decide), by transaction. */
  static List<Entry> inOneStep(List<Entry> sameNumber) {
    List<Entry> head = new ArrayList<>(sameNumber);
    head.sort(Comparator.comparing(e -> e.rec.tid()));
    return head;
  }

  /** The ready entries that wait for others, in order. */
  List<Entry> ready() {
    List<Entry> ready = new ArrayList<>();
    for (List<Entry> same : byNumber.values()) {
      for (Entry entry : same) {
        if (entry.clock != null) {
          ready.add(entry);
        }
      }
    }
    return ready;
  }

  int size() {
    return byTid.size();
  }

  boolean isEmpty() {
    return byNumber.isEmpty();
  }

  /** The lowest number in the queue, which is not empty. */
  long lowest() {
    return byNumber.firstKey();
  }

  private void insert(Entry entry) {
    byNumber.computeIfAbsent(entry.number, n -> new ArrayList<>(1)).add(entry);
  }
}
