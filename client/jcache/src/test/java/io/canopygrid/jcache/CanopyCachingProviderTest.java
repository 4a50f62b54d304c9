package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Managers and configurations: what is opened, closed and refused. */
final class CanopyCachingProviderTest {
  private static final TestCaches CACHES = new TestCaches();

  @AfterAll
  static void close() {
    CACHES.close();
  }

  @Test
  void aHandleThatIsHandedOverStaysOpen() {
    CacheManager manager = CACHES.manager("given");
    assertThat(manager.unwrap(Canopy.class)).isSameAs(CACHES.node());
    Cache<Long, String> cache = manager.createCache("kept", TestCaches.configuration());
    cache.put(1L, "one");

    manager.close();

    assertThat(cache.isClosed()).isTrue();
    assertThatThrownBy(() -> cache.get(1L)).isInstanceOf(IllegalStateException.class);
    assertThat(CACHES.node().indexes()).contains("kept");
    Cache<Long, String> again =
        CACHES.manager("given").createCache("kept", TestCaches.configuration());
    assertThat(again.get(1L)).isEqualTo("one");
  }

  @Test
  void managersOfTheStandaloneUriShareANodeThatTheLastOneCloses() {
    URI uri = URI.create(CanopyCachingProvider.STANDALONE);
    CachingProvider one = new CanopyCachingProvider();
    CachingProvider two = new CanopyCachingProvider();
    Canopy node = one.getCacheManager(uri, null).unwrap(Canopy.class);
    assertThat(two.getCacheManager(uri, null).unwrap(Canopy.class)).isSameAs(node);
    one.close();
    assertThat(node.indexes()).isEmpty();
    two.close();
    assertThatThrownBy(node::indexes).hasMessageStartingWith("CNPY-4006");
  }

  @Test
  void wrongSettingsAreNamed() {
    CachingProvider provider = new CanopyCachingProvider();
    assertThatThrownBy(() -> provider.getCacheManager(URI.create("http://vm1"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("canopy://host:port");
    Properties notACanopy = new Properties();
    notACanopy.put(CanopyCachingProvider.CANOPY, "canopy");
    assertThatThrownBy(() -> provider.getCacheManager(null, null, notACanopy))
        .hasMessageContaining("is a java.lang.String, not a Canopy");
    Properties sweep = CACHES.properties();
    sweep.setProperty(CanopyCachingProvider.SWEEP, "10 minutes");
    assertThatThrownBy(() -> provider.getCacheManager(null, null, sweep))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("'10 minutes'");
  }

  @Test
  void namesThatNoIndexCanHaveAreRefused() {
    assertThatThrownBy(
            () -> CACHES.manager("names").createCache("my cache", TestCaches.configuration()))
        .isInstanceOf(CacheException.class)
        .hasMessageStartingWith(ErrorCode.INVALID_INDEX_NAME.toString())
        .hasMessageContaining("my\\u{20}cache")
        .hasCauseInstanceOf(CanopyException.class);
  }

  @Test
  void otherCodecsThanThoseOfTheIndexAreRefused() {
    CACHES.manager("codecs").createCache("java", TestCaches.configuration());
    assertThatThrownBy(() ->
            CACHES
                .manager("others")
                .createCache(
                    "java",
                    CanopyConfiguration.of(TestCaches.configuration()).withKeys(Codec.int64())))
        .isInstanceOf(CacheException.class)
        .hasMessageStartingWith(ErrorCode.CODEC_MISMATCH.toString());
  }

  @Test
  void storingByReferenceIsRefused() {
    assertThatThrownBy(() ->
            CACHES
                .manager("refused")
                .createCache("shared", TestCaches.configuration().setStoreByValue(false)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(CACHES.node().indexes()).doesNotContain("shared");
  }

  @Test
  void aFilterSaysWhatJavaMayRead() {
    ObjectInputFilter noTrees =
        ObjectInputFilter.Config.createFilter("!java.util.TreeMap;java.base/*");
    Cache<Long, Object> cache =
        CACHES
            .manager("filter")
            .createCache(
                "filtered",
                CanopyConfiguration.of(
                        new MutableConfiguration<Long, Object>().setTypes(Long.class, Object.class))
                    .withFilter(noTrees));
    cache.put(1L, "text");
    cache.put(2L, new TreeMap<>(Map.of("a", "b")));

    assertThat(cache.get(1L)).isEqualTo("text");
    assertThatThrownBy(() -> cache.get(2L))
        .isInstanceOf(CacheException.class)
        .hasMessageStartingWith(ErrorCode.CODEC_FAILURE.toString());
    Properties properties = CACHES.properties();
    properties.setProperty(CanopyCachingProvider.SERIAL_FILTER, "!java.util.TreeMap");
    try (CachingProvider provider = new CanopyCachingProvider()) {
      Cache<Object, Object> same =
          provider
              .getCacheManager(null, null, properties)
              .createCache("filtered", new MutableConfiguration<>());
      assertThatThrownBy(() -> same.get(2L)).isInstanceOf(CacheException.class);
    }
  }

  @Test
  void valuesThatCannotBeSerialisedAreRefused() {
    Cache<Long, Object> cache =
        CACHES
            .manager("serial")
            .createCache(
                "objects",
                new MutableConfiguration<Long, Object>().setTypes(Long.class, Object.class));
    assertThatThrownBy(() -> cache.put(1L, new Object()))
        .isInstanceOf(CacheException.class)
        .hasMessageStartingWith(ErrorCode.CODEC_FAILURE.toString())
        .hasRootCauseInstanceOf(NotSerializableException.class);
  }

  @Test
  void configurationsAreEqualByTheirCodecs() {
    CanopyConfiguration<Long, String> one =
        CanopyConfiguration.of(TestCaches.configuration()).withKeys(Codec.int64());
    assertThat(CanopyConfiguration.of(one)).isEqualTo(one).hasSameHashCodeAs(one);
    assertThat(one.withValues(Codec.string())).isNotEqualTo(one);
    assertThatThrownBy(() -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(one))
        .isInstanceOf(NotSerializableException.class);
  }

  @Test
  void beansDoNotShowPasswords() throws Exception {
    URI uri = URI.create("canopy://ada:secret@vm1:11444,vm2");
    ObjectName all = new ObjectName("javax.cache:*");
    try (CachingProvider provider = new CanopyCachingProvider()) {
      provider
          .getCacheManager(uri, null, CACHES.properties())
          .createCache(
              "managed",
              TestCaches.configuration().setManagementEnabled(true).setStatisticsEnabled(true));
      assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(all, null))
          .hasSize(2)
          .allSatisfy(name ->
              assertThat(name.getKeyProperty("CacheManager")).isEqualTo("canopy.//vm1.11444.vm2"));
    }
    assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(all, null)).isEmpty();
  }
}
