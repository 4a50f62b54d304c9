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

  /** A commit of which a copy had a version: its numbers in the shards of those, and its clock. */
  private record Known(VectorClock numbers, VectorClock clock) {
    /** Its number in some shard. */
    long sequenceNumber() {
      return numbers.numberAt(0);
    }

    Known with(Known other) {
      return new Known(numbers.join(other.numbers), clock);
    }
  }

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

  /** When a session was told last, up to some time; -1: never. */
  long lastTold(int session, long upTo) {
    return told.stream()
        .filter(each -> each.session() == session && each.at() <= upTo)
        .mapToLong(Told::at)
        .max()
        .orElse(-1);
  }

  /**
   * The words to sessions of which no cut has taken any commit that they can have seen: no snapshot
   * of theirs has reached the number of one.
   */
  List<Told> toldInVain() {
    return told.stream()
        .filter(each -> known.values().stream().noneMatch(commit -> mayHaveSeen(each, commit)))
        .toList();
  }

  private boolean mayHaveSeen(Told session, Known commit) {
    return made.stream()
        .anyMatch(each -> isTakenBy(each, commit) && hasReached(session.seen(), commit, each));
  }

  /** Whether a clock of before a cut has reached the number of a commit in some shard. */
  private static boolean hasReached(VectorClock seen, Known commit, Made cut) {
    VectorClock numbers = commit.numbers();
    for (int i = 0; i < numbers.size(); i++) {
      long number = seen.get(numbers.shardAt(i));
      if (number >= numbers.numberAt(i) && number < cut.epochStart()) {
        return true;
      }
    }
    return false;
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

  /** A copy has a version: below the horizon one has no clock any more. */
  void knows(int shard, VersionChain version) {
    VectorClock clock = version.clock();
    if (clock.size() > 0) {
      VectorClock number = VectorClock.ZERO.with(shard, version.sequenceNumber());
      known.merge(version.tid(), new Known(number, clock), Known::with);
    }
  }

  /** Whether a cut has taken the versions of a transaction. */
  boolean hasTaken(TxId tid) {
    Known commit = known.get(tid);
    return commit != null && hasTaken(commit);
  }

  private boolean hasTaken(Known commit) {
    return made.stream().anyMatch(each -> isTakenBy(each, commit));
  }

  /** Whether a commit is from before a cut that does not keep it. */
  private static boolean isTakenBy(Made cut, Known commit) {
    return commit.sequenceNumber() < cut.epochStart() && !cut.cut().keeps(commit.clock());
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
