package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.Factory;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When entries expire, by a clock that the test moves. */
final class CacheExpiryTest {
  private static final TestCaches CACHES = new TestCaches();
  private static final Duration MINUTE = new Duration(TimeUnit.MINUTES, 1);

  @AfterAll
  static void close() {
    CACHES.close();
  }

  @AfterEach
  void destroy() {
    CACHES.manager("expiry").destroyCache("timed");
  }

  private static Cache<Long, String> cache(Factory<? extends ExpiryPolicy> policy) {
    return CACHES
        .manager("expiry")
        .createCache(
            "timed",
            CanopyConfiguration.of(TestCaches.configuration().setExpiryPolicyFactory(policy))
                .withKeys(Codec.int64())
                .withValues(Codec.string()));
  }

  private static void seconds(int seconds) {
    CACHES.clock().advance(java.time.Duration.ofSeconds(seconds));
  }

  /** The entries that the index has, whether a cache shows them or not. */
  private static long stored() {
    Index<Long, Tuple> index =
        CACHES.node().index("timed", Codec.int64(), Codec.tuple(Codec.int64(), Codec.string()));
    return CACHES.node().<Long, RuntimeException>read(tx -> tx.on(index).count());
  }

  @Test
  void createdCountsFromTheFirstValue() {
    Cache<Long, String> cache = cache(CreatedExpiryPolicy.factoryOf(MINUTE));
    cache.put(1L, "one");
    seconds(40);
    cache.put(1L, "two");
    assertThat(cache.get(1L)).isEqualTo("two");
    seconds(20);
    assertThat(cache.get(1L)).isNull();
    assertThat(stored()).as("taken away by the read").isZero();
  }

  @Test
  void modifiedCountsFromTheLastValue() {
    Cache<Long, String> cache = cache(ModifiedExpiryPolicy.factoryOf(MINUTE));
    cache.put(1L, "one");
    seconds(40);
    cache.put(1L, "two");
    seconds(59);
    assertThat(cache.get(1L)).isEqualTo("two");
    seconds(1);
    assertThat(cache.containsKey(1L)).isFalse();
  }

  @Test
  void accessedCountsFromTheLastRead() {
    Cache<Long, String> cache = cache(AccessedExpiryPolicy.factoryOf(MINUTE));
    cache.put(1L, "one");
    cache.put(2L, "two");
    cache.put(3L, "three");
    seconds(40);
    assertThat(cache.get(1L)).isEqualTo("one");
    assertThat(cache.getAll(Set.of(2L))).containsEntry(2L, "two");
    assertThat(cache.containsKey(3L)).isTrue();
    seconds(40);
    assertThat(cache.get(1L)).isEqualTo("one");
    assertThat(cache.get(2L)).isEqualTo("two");
    assertThat(cache.get(3L)).as("containsKey is no read").isNull();
  }

  @Test
  void touchedCountsFromEither() {
    Cache<Long, String> cache = cache(TouchedExpiryPolicy.factoryOf(MINUTE));
    cache.put(1L, "one");
    seconds(40);
    cache.put(1L, "two");
    seconds(40);
    assertThat(cache.iterator().next().getValue()).isEqualTo("two");
    seconds(40);
    assertThat(cache.get(1L)).isEqualTo("two");
    seconds(60);
    assertThat(cache.iterator().hasNext()).isFalse();
    assertThat(stored()).as("taken away by the iterator").isZero();
  }

  @Test
  void accessedHoldsForValuesWhoseBytesDifferWhenTheyAreWrittenAgain() {
    Map<String, String> wide = new HashMap<>(1_024);
    wide.put("user", "Ada");
    Cache<Object, Object> cache =
        CACHES
            .manager("expiry")
            .createCache(
                "timed",
                new MutableConfiguration<>()
                    .setExpiryPolicyFactory(AccessedExpiryPolicy.factoryOf(MINUTE)));
    cache.put("session", wide);
    seconds(40);
    assertThat(cache.get("session")).isEqualTo(wide);
    seconds(40);
    assertThat(cache.get("session")).isEqualTo(wide);
  }

  @Test
  void eternalDoesNotEnd() {
    Cache<Long, String> cache = cache(EternalExpiryPolicy.factoryOf());
    cache.put(1L, "one");
    CACHES.clock().advance(java.time.Duration.ofDays(365_000));
    assertThat(cache.get(1L)).isEqualTo("one");
  }

  @Test
  void whatHasExpiredCountsAsAbsent() {
    Cache<Long, String> cache = cache(CreatedExpiryPolicy.factoryOf(MINUTE));
    cache.putAll(Map.of(1L, "a", 2L, "b", 3L, "c", 4L, "d", 5L, "e"));
    seconds(60);
    assertThat(cache.putIfAbsent(1L, "new")).isTrue();
    assertThat(cache.replace(2L, "new")).isFalse();
    assertThat(cache.remove(3L)).isFalse();
    assertThat(cache.getAndPut(4L, "new")).isNull();
    assertThat(cache.<Boolean>invoke(5L, (entry, arguments) -> entry.exists())).isFalse();
    assertThat(cache.getAll(Set.of(1L, 2L, 3L, 4L, 5L))).containsOnlyKeys(1L, 4L);
  }

  @Test
  void aSearchTakesAwayWhatNobodyReads() {
    Cache<Long, String> cache = cache(CreatedExpiryPolicy.factoryOf(MINUTE));
    for (long key = 0; key < 300; key++) {
      cache.put(key, "old");
    }
    seconds(60);
    cache.put(1_000L, "new");
    List<Long> expired = new ArrayList<>();
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            FactoryBuilder.factoryOf(new Expired(expired)), null, false, true));

    cache.unwrap(IndexCache.class).removeExpired();

    assertThat(stored()).isEqualTo(1);
    assertThat(cache.get(1_000L)).isEqualTo("new");
    assertThat(expired).hasSize(300);
  }

  @Test
  void aManagerSearchesByItself() throws Exception {
    CountDownLatch expired = new CountDownLatch(1);
    CacheEntryExpiredListener<Long, String> listener = events -> expired.countDown();
    Properties properties = CACHES.properties();
    properties.setProperty(CanopyCachingProvider.SWEEP, "PT0.01S");
    try (CachingProvider provider = new CanopyCachingProvider()) {
      Cache<Long, String> cache =
          provider
              .getCacheManager(null, null, properties)
              .createCache(
                  "swept",
                  TestCaches.configuration()
                      .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(MINUTE)));
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, true));
      cache.put(1L, "one");
      seconds(60);
      assertThat(expired.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** Keeps the keys; not serialised, though listeners may be. */
  private record Expired(List<Long> keys)
      implements CacheEntryExpiredListener<Long, String>, java.io.Serializable {
    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends Long, ? extends String>> events) {
      events.forEach(event -> keys.add(event.getKey()));
    }
  }
}
