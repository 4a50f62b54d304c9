package io.canopygrid.stream;

import io.canopygrid.Cursor;
import io.canopygrid.ReadBody;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;

/**
 * Publishes the entries of a cursor, which each subscriber has for itself, in a read-only
 * transaction of its own. Immutable.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CursorPublisher<K, V> implements Flow.Publisher<Map.Entry<K, V>> {
  private final StreamHost host;
  private final ReadBody<Cursor<K, V>, RuntimeException> scan;

  /**
   * Reads nothing yet.
   *
   * @param scan opens a subscriber's cursor
   */
  public CursorPublisher(StreamHost host, ReadBody<Cursor<K, V>, RuntimeException> scan) {
    this.host = host;
    this.scan = scan;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Map.Entry<K, V>> subscriber) {
    Objects.requireNonNull(subscriber, "the subscriber");
    CursorSubscription<K, V> subscription = new CursorSubscription<>(host, scan, subscriber);
    subscriber.onSubscribe(subscription);
    subscription.begin();
  }
}
