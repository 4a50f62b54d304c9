package io.canopygrid.stream;

import io.canopygrid.CanopyException;
import io.canopygrid.Cursor;
import io.canopygrid.ReadBody;
import io.canopygrid.transaction.OpenReading;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands the entries of a cursor to one subscriber, as many as that asks for. The work is done in
 * turns on threads of the handle, of which no two run at a time; none waits for the subscriber.
 * Thread-safe.
 */
final class CursorSubscription<K, V> implements Flow.Subscription {
  /** After so many entries others have their turn at the thread. */
  private static final int TURN_ENTRIES = 256;

  private final StreamHost host;
  private final ReadBody<Cursor<K, V>, RuntimeException> scan;
  private final AtomicLong wanted = new AtomicLong();

  /**
   * The calls since the work was last looked at; above 0: a turn is due, or under way. As long as
   * the subscriber gets this subscription, that counts as one.
   */
  private final AtomicInteger calls = new AtomicInteger(1);

  /** Null once it hears nothing more. */
  private volatile Flow.@Nullable Subscriber<? super Map.Entry<K, V>> subscriber;

  /** A mistake of the subscriber; null: it has made none. */
  private volatile @Nullable IllegalArgumentException wrong;

  // Of the turns.
  private @Nullable OpenReading reading;
  private @Nullable Iterator<Map.Entry<K, V>> entries;

  CursorSubscription(
      StreamHost host,
      ReadBody<Cursor<K, V>, RuntimeException> scan,
      Flow.Subscriber<? super Map.Entry<K, V>> subscriber) {
    this.host = host;
    this.scan = scan;
    this.subscriber = subscriber;
  }

  /** The subscriber has this subscription: from now on it may hear of entries. */
  void begin() {
    if (calls.decrementAndGet() > 0) {
      submit();
    }
  }

  @Override
  public void request(long more) {
    if (more > 0) {
      wanted.accumulateAndGet(more, CursorSubscription::sum);
    } else {
      wrong = new IllegalArgumentException("a request asks for at least one entry, not " + more);
    }
    called();
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  @Override
  public void cancel() {
    subscriber = null;
    called();
  }

  private void called() {
    if (calls.getAndIncrement() == 0) {
      submit();
    }
  }

  private void submit() {
    host.submit(
            () -> {
              turn();
              return null;
            })
        .whenComplete((done, refused) -> {
          if (refused != null) {
            fail(refused); // no turn has run, and none will
          }
        });
  }

  private void turn() {
    int seen;
    do {
      seen = calls.get();
      if (work()) {
        submit();
        return;
      }
    } while (calls.addAndGet(-seen) > 0);
  }

  /** Whether there is more to be done at once. */
  private boolean work() {
    Flow.Subscriber<? super Map.Entry<K, V>> to = subscriber;
    if (to == null) {
      abandon(null);
      return false;
    }
    try {
      return publish(to);
    } catch (Throwable e) { // whatever it is, the subscriber must not wait for ever
      fail(e);
      return false;
    }
  }

  private boolean publish(Flow.Subscriber<? super Map.Entry<K, V>> to) {
    for (int published = 0; published < TURN_ENTRIES; published++) {
      IllegalArgumentException why = wrong;
      if (why != null) {
        throw why;
      }
      if (subscriber == null) {
        abandon(null);
        return false;
      }
      Iterator<Map.Entry<K, V>> from = opened();
      if (!from.hasNext()) {
        end(to);
        return false;
      }
      if (wanted.get() == 0) {
        return false;
      }
      wanted.updateAndGet(entries -> entries == Long.MAX_VALUE ? entries : entries - 1);
      publish(to, from.next());
    }
    return true;
  }

  private Iterator<Map.Entry<K, V>> opened() {
    Iterator<Map.Entry<K, V>> known = entries;
    if (known == null) {
      OpenReading begun = host.begin();
      reading = begun;
      known = scan.read(begun.transaction()).iterator();
      entries = known;
    }
    return known;
  }

  /** A subscriber that throws counts as one that has cancelled. */
  private void publish(Flow.Subscriber<? super Map.Entry<K, V>> to, Map.Entry<K, V> entry) {
    try {
      to.onNext(entry);
    } catch (Throwable e) {
      subscriber = null;
      uncaught(e);
    }
  }

  private void end(Flow.Subscriber<? super Map.Entry<K, V>> to) {
    OpenReading ended = reading;
    reading = null;
    if (ended != null) {
      ended.end();
    }
    subscriber = null;
    try {
      to.onComplete();
    } catch (Throwable e) {
      uncaught(e);
    }
  }

  private void fail(Throwable why) {
    Flow.Subscriber<? super Map.Entry<K, V>> to = subscriber;
    subscriber = null;
    abandon(why instanceof CanopyException coded ? coded : null);
    if (to == null) {
      return;
    }
    try {
      to.onError(why);
    } catch (Throwable e) {
      uncaught(e);
    }
  }

  private void abandon(@Nullable CanopyException why) {
    OpenReading left = reading;
    reading = null;
    if (left != null) {
      left.abandon(why);
    }
  }

  private static void uncaught(Throwable e) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
  }
}
