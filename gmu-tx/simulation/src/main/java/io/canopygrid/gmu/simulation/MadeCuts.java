package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cuts that a run's grid was founded with, and the sessions that were told of one. A founding
 * that did not end may have cut nothing: others that did not take part in it found the grid anew.
 */
final class MadeCuts {
  /**
   * A cut, the number right below the first one after it, and when the grid was founded with it.
   */
  private record Made(Cut cut, long epochStart, long at) {}

  /** A session's word of a node that commits which it has seen, up to a clock, are lost. */
  record Told(int session, VectorClock seen, long at) {}

  /** A commit of which a copy had a version: its number in some shard, and its clock. */
  private record Known(long sequenceNumber, VectorClock clock) {}

  private static final Made NONE = new Made(new Cut(0, VectorClock.ZERO), 0, 0);

  private final TreeMap<Long, Made> begun = new TreeMap<>();
  private final Set<Made> made = new LinkedHashSet<>();
  private final List<Told> told = new ArrayList<>();

  /** All commits of which any copy ever had a version with its clock. */
  private final Map<TxId, Known> known = new HashMap<>();

  void begin(Cut cut, long epochStart, long now) {
    begun.put(cut.topology(), new Made(cut, epochStart, now));
  }

  /** A founding begins that makes no cut. */
  void begin(long topology) {
    begun.put(topology, NONE);
  }

  /** A node has heard from all members of a topology: the founding before it has ended. */
  void ended(long topology) {
    Map.Entry<Long, Made> last = begun.floorEntry(topology);
    if (last != null && !last.getValue().equals(NONE)) {
      made.add(last.getValue());
    }
  }

  void tell(int session, VectorClock seen, long now) {
    told.add(new Told(session, seen, now));
  }

  /** The words to sessions of which no cut has taken any commit that they can have seen. */
  List<Told> toldInVain() {
    List<VectorClock> taken =
        known.values().stream().filter(this::hasTaken).map(this::sinceCut).toList();
    return told.stream()
        .filter(each -> taken.stream().noneMatch(clock -> clock.precedesOrEquals(each.seen())))
        .toList();
  }

  /** Whether the last founding is one with a cut. */
  boolean isBegun() {
    return !begun.isEmpty() && !begun.lastEntry().getValue().equals(NONE);
  }

  boolean isEmpty() {
    return made.isEmpty();
  }

  /** Whether a cut was made from a time on. */
  boolean isAnySince(long from) {
    return made.stream().anyMatch(each -> each.at() >= from);
  }

  /** Whether a session was told so between two times. */
  boolean isTold(int session, long from, long to) {
    return told.stream()
        .anyMatch(each -> each.session() == session && each.at() >= from && each.at() <= to);
  }

  /**
   * The numbers of a commit's clock that are from after the cut before it. A session that is told
   * of that cut forgets the others, as each transaction sees what is left of them.
   */
  private VectorClock sinceCut(Known commit) {
    long before =
        made.stream()
            .mapToLong(Made::epochStart)
            .filter(start -> start < commit.sequenceNumber())
            .max()
            .orElse(0);
    return commit.clock().above(before);
  }

  /** A copy has a version: below the horizon one has no clock any more. */
  void knows(VersionChain version) {
    if (version.clock().size() > 0) {
      known.putIfAbsent(version.tid(), new Known(version.sequenceNumber(), version.clock()));
    }
  }

  /** Whether a cut has taken the versions of a transaction. */
  boolean hasTaken(TxId tid) {
    Known commit = known.get(tid);
    return commit != null && hasTaken(commit);
  }

  /** Whether a commit is from before a cut that does not keep it. */
  private boolean hasTaken(Known commit) {
    return made.stream()
        .anyMatch(each ->
            commit.sequenceNumber() < each.epochStart() && !each.cut().keeps(commit.clock()));
  }

  /** Whether a cut that was made later keeps a commit from staying. */
  boolean takes(VectorClock clock, long ended) {
    return takenAt(clock, ended) >= 0;
  }

  /** When the first such cut was made; -1: there is none. */
  long takenAt(VectorClock clock, long ended) {
    return made.stream()
        .filter(each -> each.at() >= ended && !each.cut().keeps(clock))
        .mapToLong(Made::at)
        .min()
        .orElse(-1);
  }
}
