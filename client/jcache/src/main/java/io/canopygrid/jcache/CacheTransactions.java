package io.canopygrid.jcache;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Index;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.jcache.entry.AttemptEffects;
import io.canopygrid.jcache.entry.CacheAttempt;
import io.canopygrid.jcache.entry.CachedValue;
import io.canopygrid.jcache.entry.ExpiryTimes;
import io.canopygrid.jcache.entry.WriteThrough;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * Transactions at the index of a cache, which report once they are committed. Thread-safe.
 *
 * @param canopy the handle
 * @param index the entries
 * @param expiry gives entries their time
 * @param writer is told of changes first
 * @param clock the time, by which entries expire
 * @param reports hears of what is committed
 */
record CacheTransactions<K, V>(
    Canopy canopy,
    Index<K, CachedValue<V>> index,
    ExpiryTimes expiry,
    WriteThrough<K, V> writer,
    Clock clock,
    CacheReports<K, V> reports) {
  private static final TransactionOptions OPTIONS = TransactionOptions.labelled("jcache");

  /** Runs a body that changes entries. */
  <T extends @Nullable Object> T change(Function<CacheAttempt<K, V>, T> body) {
    AtomicReference<AttemptEffects<K, V>> last = new AtomicReference<>();
    T result =
        coded(() ->
            canopy.call(
                OPTIONS,
                tx -> {
                  CacheAttempt<K, V> attempt =
                      new CacheAttempt<>(tx.on(index), expiry, writer, clock.millis());
                  last.set(attempt.effects());
                  return body.apply(attempt);
                }));
    reports.committed(Objects.requireNonNull(last.get()));
    return result;
  }

  /** Runs a body that only reads, in one snapshot, and can not conflict. */
  <T extends @Nullable Object> T read(Function<ReadView<K, CachedValue<V>>, T> body) {
    return coded(() -> canopy.read(OPTIONS, tx -> body.apply(tx.on(index))));
  }

  /** Canopy's errors as those of JCache, with the code in the message. */
  static <T extends @Nullable Object> T coded(Supplier<T> call) {
    try {
      return call.get();
    } catch (CanopyException e) {
      throw new CacheException(e.getMessage(), e);
    }
  }
}
