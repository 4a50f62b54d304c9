package io.canopygrid.gmu.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The events that are going to happen, in virtual time; those of one time are in the order in which
 * they were planned. A binary heap: most of a run's steps go through here.
 */
final class EventQueue {
  /** Something planned. */
  static final class Event {
    private final long time;
    private final long order;

    /** Null once it is taken back. */
    private @Nullable Runnable action;

    private Event(long time, long order, Runnable action) {
      this.time = time;
      this.order = order;
      this.action = action;
    }

    private boolean isBefore(Event other) {
      return time < other.time || (time == other.time && order < other.order);
    }
  }

  private Event[] heap = new Event[64];
  private int size;
  private int cancelled;
  private long now;
  private long order;

  long now() {
    return now;
  }

  Event after(long delay, Runnable action) {
    Event event = new Event(now + delay, order++, action);
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    up(size++, event);
    return event;
  }

  /** Takes back what has not happened yet. */
  void cancel(Event event) {
    if (event.action != null) {
      event.action = null;
      cancelled++;
    }
  }

  /** Runs the next event; false where there is none before the limit. */
  boolean runNext(long limit) {
    while (size > 0) {
      Event next = poll();
      Runnable action = next.action;
      if (action == null) {
        cancelled--;
        continue;
      }
      now = next.time;
      if (now > limit) {
        return false;
      }
      next.action = null;
      action.run();
      return true;
    }
    return false;
  }

  boolean isEmpty() {
    return size == cancelled;
  }

  private Event poll() {
    Event first = heap[0];
    Event last = heap[--size];
    if (size > 0) {
      down(last);
    }
    return first;
  }

  private void up(int from, Event event) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!event.isBefore(heap[parent])) {
        break;
      }
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  private void down(Event event) {
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(event)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = event;
  }
}
