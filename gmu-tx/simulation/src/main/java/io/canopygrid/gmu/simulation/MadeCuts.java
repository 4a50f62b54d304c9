package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.message.Cut;
import java.util.ArrayList;
import java.util.List;

/** The cuts that a run's grid was founded with, and the sessions that were told of one. */
final class MadeCuts {
  /** A cut, and when the grid was founded with it. */
  private record Made(Cut cut, long at) {}

  /** A session's word of a node that commits which it has seen are lost. */
  private record Told(int session, long at) {}

  private final List<Made> made = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();

  void make(Cut cut, long now) {
    made.add(new Made(cut, now));
  }

  void tell(int session, long now) {
    told.add(new Told(session, now));
  }

  boolean isEmpty() {
    return made.isEmpty();
  }

  /** Whether a grid was founded between two times. */
  boolean isAnyBetween(long from, long to) {
    return made.stream().anyMatch(each -> each.at() >= from && each.at() <= to);
  }

  /** Whether a session was told so between two times. */
  boolean isTold(int session, long from, long to) {
    return told.stream()
        .anyMatch(each -> each.session() == session && each.at() >= from && each.at() <= to);
  }

  /** Whether a cut that was made later keeps a commit from staying. */
  boolean takes(VectorClock clock, long ended) {
    return made.stream().anyMatch(each -> each.at() >= ended && !each.cut().keeps(clock));
  }
}
