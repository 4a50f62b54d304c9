package io.canopygrid.history;

import java.util.ArrayList;
import java.util.List;

/**
 * A history reduced to what its graph needs, in the same form for all workloads: the versions of
 * each thing, the transactions that saw each of them from outside, and which transactions count as
 * committed updates.
 */
final class Observations {
  private final List<Timeline> timelines = new ArrayList<>();
  private final boolean[] committed;
  private final int[] from;
  private final int[] firstRead;
  private final IntList seenTimelines = new IntList();
  private final IntList seenVersions = new IntList();
  private int current;

  Observations(int txns) {
    committed = new boolean[txns];
    from = new int[txns + 1];
    firstRead = new int[txns];
  }

  /** Adds a thing; its number. */
  int add(Timeline timeline) {
    timelines.add(timeline);
    return timelines.size() - 1;
  }

  /** Counts a transaction as a committed update. */
  void commit(int txn) {
    committed[txn] = true;
  }

  /** Adds that a transaction saw a version; transactions come in growing order. */
  void saw(int txn, int timeline, int version) {
    seal(txn);
    seenTimelines.add(timeline);
    seenVersions.add(version);
  }

  /** Ends the first operation of a transaction that read from outside, if none has ended yet. */
  void endOfRead(int txn) {
    seal(txn);
    if (firstRead[txn] == 0) {
      firstRead[txn] = seenVersions.size() - from[txn];
    }
  }

  /** Ends the observations of all transactions before this one. */
  void seal(int txn) {
    while (current < txn) {
      from[++current] = seenVersions.size();
    }
  }

  List<Timeline> timelines() {
    return timelines;
  }

  Timeline timeline(int number) {
    return timelines.get(number);
  }

  int txns() {
    return committed.length;
  }

  boolean committed(int txn) {
    return committed[txn];
  }

  /**
   * The first observation of a transaction; its observations go on to the first one of the next
   * transaction.
   */
  int from(int txn) {
    return from[txn];
  }

  /** End, exclusive, of the observations of its first read. */
  int firstReadEnd(int txn) {
    return from[txn] + firstRead[txn];
  }

  int seenTimeline(int observation) {
    return seenTimelines.get(observation);
  }

  int seenVersion(int observation) {
    return seenVersions.get(observation);
  }
}
