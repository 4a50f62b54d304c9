package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The transactions of each client, in its order, and what a client may expect of each key. */
final class Sessions {
  private final List<int[]> all = new ArrayList<>();

  Sessions(List<Txn> txns) {
    Map<Long, IntList> byProcess = new LinkedHashMap<>();
    for (int txn = 0; txn < txns.size(); txn++) {
      byProcess.computeIfAbsent(txns.get(txn).process(), process -> new IntList()).add(txn);
    }
    byProcess.values().forEach(session -> all.add(session.toArray()));
  }

  /** Numbers of the transactions, per client. */
  List<int[]> all() {
    return all;
  }

  /**
   * Reports reads that go back: behind a version that the client had seen, or behind its own. A
   * failed transaction must not go back either, but later ones need not have seen it.
   */
  void report(List<Txn> txns, Observations observations, Words words, Findings findings) {
    Map<Integer, int[]> places = new HashMap<>();
    int[][] written = written(observations);
    for (int[] session : all) {
      Map<Integer, Newest> newest = new HashMap<>();
      for (int txn : session) {
        for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
          int timeline = observations.seenTimeline(o);
          int place = place(places, observations, timeline, observations.seenVersion(o));
          Newest known = newest.get(timeline);
          if (known != null && place != Timeline.NONE && place < known.place) {
            findings.add(
                known.own ? Anomaly.READ_YOUR_WRITES : Anomaly.MONOTONIC_READS,
                () ->
                    words.txn(txn)
                        + " saw an older "
                        + words.timeline(timeline)
                        + " than "
                        + words.txn(known.txn)
                        + (known.own ? " wrote" : " saw"));
          }
        }
        if (txns.get(txn).status() != Status.OK) {
          continue;
        }
        for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
          int timeline = observations.seenTimeline(o);
          int place = place(places, observations, timeline, observations.seenVersion(o));
          newest.merge(timeline, new Newest(place, txn, false), Newest::later);
        }
        int[] writes = written[txn];
        for (int i = 0; i < writes.length; i += 2) {
          int place = place(places, observations, writes[i], writes[i + 1]);
          newest.merge(writes[i], new Newest(place, txn, true), Newest::later);
        }
      }
    }
  }

  private static int place(
      Map<Integer, int[]> places, Observations observations, int timeline, int version) {
    return places.computeIfAbsent(timeline, t -> observations.timeline(t).places())[version];
  }

  /** Timeline and version of each write of each transaction, one after the other. */
  private static int[][] written(Observations observations) {
    @Nullable IntList[] lists = new IntList[observations.txns()];
    for (int t = 0; t < observations.timelines().size(); t++) {
      Timeline timeline = observations.timeline(t);
      for (int version = 1; version < timeline.versions(); version++) {
        int writer = timeline.writer(version);
        IntList list = lists[writer];
        if (list == null) {
          list = new IntList();
          lists[writer] = list;
        }
        list.add(t);
        list.add(version);
      }
    }
    int[][] written = new int[lists.length][];
    for (int txn = 0; txn < lists.length; txn++) {
      IntList list = lists[txn];
      written[txn] = list == null ? new int[0] : list.toArray();
    }
    return written;
  }

  /** The newest version of a thing that a client knows, and by which transaction. */
  private record Newest(int place, int txn, boolean own) {
    static Newest later(Newest a, Newest b) {
      return b.place >= a.place ? b : a;
    }
  }
}
