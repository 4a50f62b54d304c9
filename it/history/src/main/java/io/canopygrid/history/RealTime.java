package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares what transactions saw with the clock; a matter of freshness, not of the guarantee. */
final class RealTime {
  private final List<Txn> txns;
  private final Observations observations;
  private final Map<Integer, long[]> overwritten = new HashMap<>();

  RealTime(List<Txn> txns, Observations observations) {
    this.txns = txns;
    this.observations = observations;
  }

  /** Notes first reads of something whose overwriting was acknowledged before they began. */
  void note(Words words, Findings findings) {
    int stale = 0;
    String example = "";
    for (int txn = 0; txn < txns.size(); txn++) {
      for (int o = observations.from(txn); o < observations.firstReadEnd(txn); o++) {
        if (overwrittenNanos(o) < txns.get(txn).startNanos()) {
          if (stale == 0) {
            example = words.txn(txn) + " of " + words.timeline(observations.seenTimeline(o));
          }
          stale++;
          break;
        }
      }
    }
    if (stale > 0) {
      findings.note(stale + " first reads were not the newest in real time: first " + example);
    }
  }

  /** Reports what an acknowledged transaction wrote and a final read, begun later, misses. */
  void reportLost(Words words, Findings findings) {
    for (int txn = 0; txn < txns.size(); txn++) {
      if (!txns.get(txn).fin()) {
        continue;
      }
      for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
        Timeline timeline = observations.timeline(observations.seenTimeline(o));
        if (overwrittenNanos(o) < txns.get(txn).startNanos()) {
          String text =
              words.txn(txn)
                  + " missed the last of "
                  + timeline.name()
                  + ", by "
                  + words.txn(timeline.writer(lateWriter(o)));
          findings.add(Anomaly.LOST_WRITE, () -> text);
        }
      }
    }
  }

  private int lateWriter(int observation) {
    Timeline timeline = observations.timeline(observations.seenTimeline(observation));
    return timeline.successors(observations.seenVersion(observation))[0];
  }

  /** The time at which the first of the versions after the one observed was acknowledged. */
  private long overwrittenNanos(int observation) {
    long[] times =
        overwritten.computeIfAbsent(observations.seenTimeline(observation), this::overwritten);
    return times[observations.seenVersion(observation)];
  }

  private long[] overwritten(int number) {
    Timeline timeline = observations.timeline(number);
    long[] times = new long[timeline.versions()];
    Arrays.fill(times, Long.MIN_VALUE);
    for (int version = 0; version < times.length; version++) {
      fill(timeline, version, times);
    }
    return times;
  }

  /** Fills in the times from one version to the end of what is known to follow it. */
  private void fill(Timeline timeline, int version, long[] times) {
    IntList chain = new IntList();
    int at = version;
    int[] next = timeline.successors(at);
    while (times[at] == Long.MIN_VALUE && next.length == 1) {
      chain.add(at);
      at = next[0];
      next = timeline.successors(at);
    }
    if (times[at] == Long.MIN_VALUE) {
      times[at] = Long.MAX_VALUE;
      for (int loose : next) {
        times[at] = Math.min(times[at], acknowledged(timeline.writer(loose)));
      }
    }
    while (chain.size() > 0) {
      int before = chain.removeLast();
      times[before] = Math.min(times[at], acknowledged(timeline.writer(at)));
      at = before;
    }
  }

  private long acknowledged(int txn) {
    Txn one = txns.get(txn);
    return one.status() == Status.OK ? one.endNanos() : Long.MAX_VALUE;
  }
}
