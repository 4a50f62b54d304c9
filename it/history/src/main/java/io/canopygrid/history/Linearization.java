package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of the operations on one key that explains what each returned and keeps the
 * order of those that did not overlap. The search of Wing and Gong (1993) with the memory of Lowe
 * (2017): a set of operations that led to a value once is not tried again.
 */
final class Linearization {
  /** Beyond this many sets the search gives up. */
  private static final int SETS_MAX = 2_000_000;

  enum Result {
    YES,
    NO,
    UNKNOWN
  }

  private final List<Txn> txns;
  private final Event head = new Event(-1, 0, false);
  private final Set<Tried> tried = new HashSet<>();
  private int explained = -1;
  private String obstacle = "";

  /** Creates the search over committed operations, and writes of unknown outcome. */
  Linearization(List<Txn> txns) {
    this.txns = txns;
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < txns.size(); i++) {
      Event call = new Event(i, txns.get(i).startNanos(), false);
      boolean ended = txns.get(i).status() == Status.OK;
      Event end = new Event(i, ended ? txns.get(i).endNanos() : Long.MAX_VALUE, true);
      call.end = end;
      events.add(call);
      events.add(end);
    }
    events.sort(Comparator.comparingLong((Event e) -> e.nanos).thenComparing(e -> e.isEnd));
    Event last = head;
    for (Event event : events) {
      last.next = event;
      event.previous = last;
      last = event;
    }
  }

  Result run() {
    long[] hash = {0, 0};
    long[][] names = names();
    Deque<Step> steps = new ArrayDeque<>();
    Long value = null;
    Event event = head.next;
    while (head.next != null) {
      Event at = Objects.requireNonNull(event);
      if (at.isEnd) {
        remember(at, steps.size(), value);
        if (steps.isEmpty()) {
          return Result.NO;
        }
        Step last = steps.pop();
        value = last.before;
        flip(hash, names[last.call.txn]);
        last.call.putBack();
        event = last.call.next;
        continue;
      }
      Txn txn = txns.get(at.txn);
      if (isExplained(txn, value)) {
        Long after = after(txn, value);
        flip(hash, names[at.txn]);
        if (tried.add(new Tried(hash[0], hash[1], after))) {
          if (tried.size() > SETS_MAX) {
            return Result.UNKNOWN;
          }
          steps.push(new Step(at, value));
          value = after;
          at.takeOut();
          event = head.next;
          continue;
        }
        flip(hash, names[at.txn]);
      }
      event = at.next;
    }
    return Result.YES;
  }

  /** The operation that the best attempt could not explain, in words. */
  String obstacle() {
    return obstacle;
  }

  private void remember(Event end, int steps, @Nullable Long value) {
    if (steps > explained) {
      explained = steps;
      Txn txn = txns.get(end.txn);
      obstacle =
          txn
              + " "
              + txn.ops().get(0)
              + "; the longest beginning that can be explained has "
              + steps
              + " of them and leaves "
              + (value == null ? "nothing" : "the value " + value);
    }
  }

  private static void flip(long[] hash, long[] name) {
    hash[0] ^= name[0];
    hash[1] ^= name[1];
  }

  /** 128 random bits for each operation; a set is the exclusive or of its members. */
  private long[][] names() {
    SplittableRandom random = new SplittableRandom(txns.size());
    long[][] names = new long[txns.size()][];
    for (int i = 0; i < names.length; i++) {
      names[i] = new long[] {random.nextLong(), random.nextLong()};
    }
    return names;
  }

  private static boolean isExplained(Txn txn, @Nullable Long value) {
    Op op = txn.ops().get(0);
    return switch (op.kind()) {
      case READ -> op.observed().length == 0 ? value == null : Objects.equals(value, op.element());
      case CAS -> txn.status() != Status.OK || Objects.equals(value, op.observed()[1]);
      default -> true;
    };
  }

  private static @Nullable Long after(Txn txn, @Nullable Long value) {
    Op op = txn.ops().get(0);
    return switch (op.kind()) {
      case WRITE -> Long.valueOf(op.element());
      case DELETE -> null;
      case CAS -> Objects.equals(value, op.observed()[1]) ? Long.valueOf(op.element()) : value;
      default -> value;
    };
  }

  private record Step(Event call, @Nullable Long before) {}

  private record Tried(long high, long low, @Nullable Long value) {}

  /** A call or its end in the list of those that have no place in the order yet. */
  private static final class Event {
    final int txn;
    final long nanos;
    final boolean isEnd;
    @Nullable Event end;
    @Nullable Event previous;
    @Nullable Event next;

    Event(int txn, long nanos, boolean isEnd) {
      this.txn = txn;
      this.nanos = nanos;
      this.isEnd = isEnd;
    }

    void takeOut() {
      unlink(this);
      unlink(Objects.requireNonNull(end));
    }

    void putBack() {
      link(Objects.requireNonNull(end));
      link(this);
    }

    private static void unlink(Event event) {
      Objects.requireNonNull(event.previous).next = event.next;
      if (event.next != null) {
        event.next.previous = event.previous;
      }
    }

    private static void link(Event event) {
      Objects.requireNonNull(event.previous).next = event;
      if (event.next != null) {
        event.next.previous = event;
      }
    }
  }
}
