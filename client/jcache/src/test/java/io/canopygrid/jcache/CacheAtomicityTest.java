package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.integration.CacheWriter;
import javax.cache.processor.EntryProcessorException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Each call is one transaction, whoever else calls. */
final class CacheAtomicityTest {
  private static final TestCaches CACHES = new TestCaches();
  private static final int THREADS = 4;

  @AfterAll
  static void close() {
    CACHES.close();
  }

  /** Calls from several threads at once; all results. */
  private static <T> List<T> together(Callable<T> call) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<T>> ends = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      ends.add(threads.submit(call));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> end : ends) {
      results.add(end.get());
    }
    threads.shutdown();
    return results;
  }

  @Test
  void oneOfManyPutsIfAbsent() throws Exception {
    Cache<Long, String> cache =
        CACHES.manager("atomic").createCache("first", TestCaches.configuration());
    for (long key = 0; key < 20; key++) {
      long current = key;
      CountDownLatch begin = new CountDownLatch(THREADS);
      List<Boolean> put =
          together(() -> {
            begin.countDown();
            begin.await();
            return cache.putIfAbsent(current, "mine");
          });
      assertThat(put).containsOnlyOnce(true);
    }
  }

  @Test
  void noReplacementIsLost() throws Exception {
    Cache<Long, String> cache =
        CACHES.manager("atomic").createCache("replaced", TestCaches.configuration());
    cache.put(1L, "0");
    together(() -> {
      for (int i = 0; i < 25; i++) {
        String old;
        do {
          old = Objects.requireNonNull(cache.get(1L));
        } while (!cache.replace(1L, old, Integer.toString(Integer.parseInt(old) + 1)));
      }
      return true;
    });
    assertThat(cache.get(1L)).isEqualTo("100");
  }

  @Test
  void theWriterHearsTheLastValueLast() throws Exception {
    Recorder writer = new Recorder();
    Cache<Long, String> cache =
        CACHES
            .manager("atomic")
            .createCache(
                "written",
                TestCaches.configuration()
                    .setWriteThrough(true)
                    .setCacheWriterFactory(() -> writer));
    AtomicInteger next = new AtomicInteger();
    for (int round = 0; round < 20; round++) {
      together(() -> {
        cache.put(1L, Integer.toString(next.incrementAndGet()));
        return true;
      });
      assertThat(writer.written.get(1L)).isEqualTo(cache.get(1L));
    }
  }

  @Test
  void aProcessorThatFailsChangesNothingAndNobodyHearsOfIt() {
    Cache<Long, String> cache =
        CACHES.manager("atomic").createCache("failing", TestCaches.configuration());
    List<Long> heard = new ArrayList<>();
    CacheEntryCreatedListener<Long, String> listener =
        events -> events.forEach(event -> heard.add(event.getKey()));
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, true));

    assertThatThrownBy(() ->
            cache.invoke(
                1L,
                (entry, arguments) -> {
                  entry.setValue("set");
                  throw new IllegalStateException("no");
                }))
        .isInstanceOf(EntryProcessorException.class)
        .hasRootCauseMessage("no");
    cache.put(2L, "two");

    assertThat(cache.containsKey(1L)).isFalse();
    assertThat(heard).containsExactly(2L);
  }

  @Test
  void inATransactionOfTheCallerItIsRefused() {
    Cache<Long, String> cache =
        CACHES.manager("atomic").createCache("nested", TestCaches.configuration());
    assertThatThrownBy(() -> CACHES.node().run(tx -> cache.put(1L, "one")))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("NESTED_TRANSACTION");
  }

  @Test
  void asynchronousListenersHearInOrder() throws Exception {
    Cache<Long, String> cache =
        CACHES.manager("atomic").createCache("later", TestCaches.configuration());
    List<Long> heard = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(50);
    CacheEntryCreatedListener<Long, String> listener =
        events ->
            events.forEach(event -> {
              heard.add(event.getKey());
              all.countDown();
            });
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, false));
    List<Long> put = new ArrayList<>();
    for (long key = 0; key < 50; key++) {
      cache.put(key, "value");
      put.add(key);
    }
    all.await();
    assertThat(heard).isEqualTo(put);
  }

  /** Keeps the value that it was told last. */
  private static final class Recorder implements CacheWriter<Long, String> {
    private final ConcurrentMap<Long, String> written = new ConcurrentHashMap<>();

    @Override
    public void write(Cache.Entry<? extends Long, ? extends String> entry) {
      written.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Long, ? extends String>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      written.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
      keys.clear();
    }
  }
}
