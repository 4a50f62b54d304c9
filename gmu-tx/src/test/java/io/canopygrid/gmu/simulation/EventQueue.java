package io.canopygrid.gmu.simulation;

import java.util.PriorityQueue;

/** What is going to happen, in virtual time; at one time in the order it was planned. */
final class EventQueue {
  /** Something planned. */
  record Event(long time, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;

  long now() {
    return now;
  }

  Event after(long delay, Runnable action) {
    Event event = new Event(now + delay, order++, action);
    events.add(event);
    return event;
  }

  /** Takes back what has not happened yet. */
  void cancel(Event event) {
    events.remove(event);
  }

  /** Runs the next event; false where there is none before the limit. */
  boolean runNext(long limit) {
    Event next = events.poll();
    if (next == null) {
      return false;
    }
    now = next.time;
    if (now > limit) {
      return false;
    }
    next.action.run();
    return true;
  }

  boolean isEmpty() {
    return events.isEmpty();
  }
}
