package io.canopygrid.jcache.event;

import java.util.ArrayList;
import java.util.List;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** One listener with its filter, as its configuration has them. Thread-safe if these are. */
final class Listening<K, V> {
  private final CacheEntryListenerConfiguration<K, V> configuration;
  private final CacheEntryListener<? super K, ? super V> listener;
  private final @Nullable CacheEntryEventFilter<? super K, ? super V> filter;

  Listening(CacheEntryListenerConfiguration<K, V> configuration) {
    this.configuration = configuration;
    this.listener = configuration.getCacheEntryListenerFactory().create();
    Factory<? extends @Nullable CacheEntryEventFilter<? super K, ? super V>> filters =
        configuration.getCacheEntryEventFilterFactory();
    this.filter = filters == null ? null : filters.create();
  }

  CacheEntryListenerConfiguration<K, V> configuration() {
    return configuration;
  }

  boolean isSynchronous() {
    return configuration.isSynchronous();
  }

  /**
   * Tells the listener of changes in their order, neighbours of one type together.
   *
   * @throws CacheEntryListenerException of the listener or its filter
   */
  void tell(Cache<K, V> source, List<CacheChange<K, V>> changes) {
    List<CacheEntryEvent<? extends K, ? extends V>> together = new ArrayList<>();
    @Nullable EventType type = null;
    for (CacheChange<K, V> change : changes) {
      if (change.type() != type) {
        hand(type, together);
        together = new ArrayList<>();
        type = change.type();
      }
      ChangeEvent<K, V> event =
          new ChangeEvent<>(source, change, configuration.isOldValueRequired());
      if (hears(change.type()) && passes(event)) {
        together.add(event);
      }
    }
    hand(type, together);
  }

  private boolean hears(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  private boolean passes(ChangeEvent<K, V> event) {
    try {
      return filter == null || filter.evaluate(event);
    } catch (RuntimeException e) {
      throw failure("the filter of a listener failed: ", e);
    }
  }

  @SuppressWarnings("unchecked") // events of K and V are such of what K and V extend
  private void hand(
      @Nullable EventType type, List<CacheEntryEvent<? extends K, ? extends V>> together) {
    if (type == null || together.isEmpty()) {
      return;
    }
    try {
      switch (type) {
        case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(together);
        case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(together);
        case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(together);
        case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(together);
      }
    } catch (RuntimeException e) {
      throw failure("a listener failed: ", e);
    }
  }

  private static CacheEntryListenerException failure(String what, RuntimeException cause) {
    return cause instanceof CacheEntryListenerException known
        ? known
        : new CacheEntryListenerException(what + cause, cause);
  }

  /** The objects to close with the cache, where they can be closed. */
  List<@Nullable Object> parts() {
    List<@Nullable Object> parts = new ArrayList<>();
    parts.add(listener);
    parts.add(filter);
    return parts;
  }
}
