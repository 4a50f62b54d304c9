package io.canopygrid.jcache.event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one cache object. The synchronous ones are told by the thread that has made the
 * change, after its commit; the others by one thread, in the order of its queue. Thread-safe.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CacheListeners<K, V> {
  /** The calls that wait for the thread at most; past that, callers tell of their own changes. */
  private static final int WAITING_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(CacheListeners.class);

  private final List<Listening<K, V>> all = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor thread;

  /** Without any. */
  public CacheListeners(String cache) {
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread made = new Thread(task, "canopy-listeners-" + cache);
              made.setDaemon(true);
              return made;
            },
            new ThreadPoolExecutor.CallerRunsPolicy());
    thread.allowCoreThreadTimeOut(true);
  }

  /** Makes the listener of a configuration, and tells it of what comes. */
  public void add(CacheEntryListenerConfiguration<K, V> configuration) {
    all.add(new Listening<>(configuration));
  }

  /** Forgets the listener of a configuration, and returns what there is to close. */
  public List<@Nullable Object> remove(CacheEntryListenerConfiguration<K, V> configuration) {
    List<@Nullable Object> parts = new ArrayList<>();
    all.removeIf(one -> {
      boolean isMeant = one.configuration().equals(configuration);
      if (isMeant) {
        parts.addAll(one.parts());
      }
      return isMeant;
    });
    return parts;
  }

  /** Whether nobody listens. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /**
   * Tells all listeners, also if one of them fails.
   *
   * @throws CacheEntryListenerException of the first synchronous one that failed
   */
  public void tell(Cache<K, V> source, List<CacheChange<K, V>> changes) {
    if (changes.isEmpty()) {
      return;
    }
    @Nullable CacheEntryListenerException failure = null;
    for (Listening<K, V> one : all) {
      if (!one.isSynchronous()) {
        thread.execute(() -> tellLater(one, source, changes));
        continue;
      }
      try {
        one.tell(source, changes);
      } catch (CacheEntryListenerException e) {
        if (failure == null) {
          failure = e;
        } else if (!failure.equals(e)) {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static <K, V> void tellLater(
      Listening<K, V> one, Cache<K, V> source, List<CacheChange<K, V>> changes) {
    try {
      one.tell(source, changes);
    } catch (CacheEntryListenerException e) {
      LOG.warn("an asynchronous listener failed", e);
    }
  }

  /** Ends the thread once it has told what waits, and returns what there is to close. */
  public List<@Nullable Object> close() {
    thread.shutdown();
    List<@Nullable Object> parts = new ArrayList<>();
    all.forEach(one -> parts.addAll(one.parts()));
    all.clear();
    return parts;
  }
}
