package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.HoldingTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The transactions that run on a node, each with a clock that is not above the one it uses.
 * Thread-safe: a transaction that only reads what is at hand begins and ends without the protocol
 * lock. Once one has {@linkplain #enter entered} it is forgotten under the protocol lock only, as
 * there can be more to forget of it.
 */
final class RunningTransactions {
  /** No read. */
  static final long NONE = -1;

  /** A power of two: the last bits of a handle say where it is. */
  private static final int STRIPES = 64;

  /**
   * A thread begins its transactions in the same one each time, which it shares with few: so others
   * hardly ever wait for a thread that was stopped while it held one.
   */
  private final Stripe[] stripes = new Stripe[STRIPES];

  private boolean ticking;
  private long firstTickNanos;

  /**
   * Between the first tick and the last one. Written under the protocol lock; any thread may look.
   */
  private volatile long nanos;

  /** Whether one was ever ended for its age; hardly any node looks further. */
  private volatile boolean anyOld;

  RunningTransactions() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(i);
    }
  }

  /** The knowledge of one transaction; guarded by its stripe. */
  private static final class Running {
    final long begun;
    final boolean pinned;
    VectorClock clock;
    boolean entered;

    /** The only read that it waits for; {@link #NONE}: several, or none. */
    long awaited = NONE;

    String label = "";

    /** Whether it has run for too long: it holds nothing back, and asks nothing any more. */
    boolean old;

    Running(VectorClock clock, long begun, boolean pinned) {
      this.clock = clock;
      this.begun = begun;
      this.pinned = pinned;
    }
  }

  /** The transactions whose handles have the same last bits. Guards itself. */
  private static final class Stripe {
    private final Map<Long, Running> running = new HashMap<>();
    private long last;

    Stripe(int bits) {
      last = bits;
    }

    synchronized long add(VectorClock clock, long begun, boolean pinned) {
      last += STRIPES;
      running.put(last, new Running(clock, begun, pinned));
      return last;
    }

    synchronized boolean enter(long handle, VectorClock clock, long awaited) {
      Running known = running.get(handle);
      if (known == null || known.old) {
        return false;
      }
      known.entered = true;
      known.clock = clock;
      known.awaited = awaited;
      return true;
    }

    synchronized void raise(long handle, VectorClock clock) {
      Running known = running.get(handle);
      if (known != null) {
        known.clock = clock;
      }
    }

    synchronized void advance(long handle, long read, VectorClock clock) {
      Running known = running.get(handle);
      if (known != null && known.awaited == read) {
        known.clock = clock;
      }
    }

    synchronized boolean removeUnentered(long handle) {
      Running known = running.get(handle);
      if (known == null || known.entered) {
        return false;
      }
      running.remove(handle);
      return true;
    }

    synchronized void remove(long handle) {
      running.remove(handle);
    }

    synchronized void clear() {
      running.clear();
    }

    synchronized VectorClock meet(VectorClock clock) {
      VectorClock lowest = clock;
      for (Running known : running.values()) {
        lowest = known.old ? lowest : lowest.meet(known.clock);
      }
      return lowest;
    }

    synchronized boolean isOld(long handle) {
      Running known = running.get(handle);
      return known != null && known.old;
    }

    synchronized void endOld(long begunBefore, List<Long> ended) {
      running.forEach((handle, known) -> {
        if (known.begun < begunBefore && !known.old && !known.pinned) {
          known.old = true;
          ended.add(handle);
        }
      });
    }

    synchronized void named(long handle, String label) {
      Running known = running.get(handle);
      if (known != null) {
        known.label = label;
      }
    }

    synchronized void addHolding(long now, List<HoldingTransaction> holding) {
      for (Running known : running.values()) {
        if (!known.old) {
          holding.add(new HoldingTransaction(known.label, now - known.begun));
        }
      }
    }

    synchronized long oldest(long begun) {
      long oldest = begun;
      for (Running known : running.values()) {
        oldest = Math.min(oldest, known.begun);
      }
      return oldest;
    }

    synchronized int size() {
      return running.size();
    }
  }

  private Stripe stripe(long handle) {
    return stripes[(int) (handle & (STRIPES - 1))];
  }

  private Stripe ownStripe() {
    return stripe(Thread.currentThread().getId());
  }

  /**
   * Begins one at a clock that stays what it is. Any thread.
   *
   * @param isPinned whether all reports have the clock anyway: then it never becomes old
   */
  Begun begin(VectorClock clock, boolean isPinned) {
    return new Begun(ownStripe().add(clock, nanos, isPinned), clock);
  }

  /**
   * Begins one at the join of a clock and the floor. Any thread: who looks for the lowest clock in
   * use has raised the floor before, so either finds this transaction here, or it finds the raised
   * floor and begins at that.
   */
  Begun begin(VectorClock token, Supplier<VectorClock> floor) {
    Stripe own = ownStripe();
    VectorClock seen = floor.get();
    VectorClock clock = token.join(seen);
    long handle = own.add(clock, nanos, false);
    for (VectorClock now = floor.get(); !now.equals(seen); now = floor.get()) {
      seen = now;
      clock = token.join(now);
      own.raise(handle, clock);
    }
    return new Begun(handle, clock);
  }

  /**
   * A transaction asks for something at this clock; false where it has ended. Under the protocol
   * lock.
   *
   * @param awaited the number of the only read that it waits for; {@link #NONE}: it goes on without
   */
  boolean enter(long handle, VectorClock clock, long awaited) {
    return stripe(handle).enter(handle, clock, awaited);
  }

  /**
   * A read was answered: its transaction uses no clock lower than this one any more, where it waits
   * for that read still. A transaction that has given up the read, and asked for another one, has
   * not seen the answer. Under the protocol lock.
   */
  void advance(long handle, long read, VectorClock clock) {
    stripe(handle).advance(handle, read, clock);
  }

  /** Forgets one that has not entered; false, and nothing done, for others. Any thread. */
  boolean tryEnd(long handle) {
    return stripe(handle).removeUnentered(handle);
  }

  /** Forgets one. Under the protocol lock. */
  void end(long handle) {
    stripe(handle).remove(handle);
  }

  /** Forgets all. Under the protocol lock. */
  void clear() {
    for (Stripe stripe : stripes) {
      stripe.clear();
    }
  }

  /**
   * The meet of a clock with those of all that run. Under the protocol lock; the clock is the
   * floor, or lower.
   */
  VectorClock meet(VectorClock clock) {
    VectorClock lowest = clock;
    for (Stripe stripe : stripes) {
      lowest = stripe.meet(lowest);
    }
    return lowest;
  }

  /** Notes the time of a tick. Under the protocol lock. */
  void tick(long nowNanos) {
    if (!ticking) {
      ticking = true;
      firstTickNanos = nowNanos;
    }
    nanos = nowNanos - firstTickNanos;
  }

  /**
   * The time that the oldest transaction ran before the last tick; 0: it began after the tick. Any
   * thread.
   */
  long oldestNanos() {
    long now = nanos;
    long oldest = now;
    for (Stripe stripe : stripes) {
      oldest = stripe.oldest(oldest);
    }
    return now - oldest;
  }

  /** Names one, for people. Any thread. */
  void named(long handle, String label) {
    stripe(handle).named(handle, label);
  }

  /**
   * The oldest of those that hold the horizon back, which is not so of those that have run for too
   * long; oldest first. Any thread.
   */
  List<HoldingTransaction> oldest(int most) {
    List<HoldingTransaction> holding = new ArrayList<>();
    long now = nanos;
    for (Stripe stripe : stripes) {
      stripe.addHolding(now, holding);
    }
    holding.sort(Comparator.comparingLong(HoldingTransaction::ageNanos).reversed());
    return List.copyOf(holding.subList(0, Math.min(most, holding.size())));
  }

  /**
   * Ends those that have run for longer, but for those at a pinned clock: they are not in the
   * {@link #meet} any more, and are forgotten when their callers end them. Under the protocol lock.
   *
   * @return their handles
   */
  List<Long> endOld(long ageMaxNanos) {
    List<Long> ended = new ArrayList<>();
    for (Stripe stripe : stripes) {
      stripe.endOld(nanos - ageMaxNanos, ended);
    }
    anyOld |= !ended.isEmpty();
    return ended;
  }

  /** Whether it was ended since it had run for too long, and is not forgotten yet. Any thread. */
  boolean isOld(long handle) {
    return anyOld && stripe(handle).isOld(handle);
  }

  /** The number of transactions that run; under the protocol lock. */
  int size() {
    int size = 0;
    for (Stripe stripe : stripes) {
      size += stripe.size();
    }
    return size;
  }
}
