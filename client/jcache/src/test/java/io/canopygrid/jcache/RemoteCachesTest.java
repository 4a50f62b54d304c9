package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Tuple;
import io.canopygrid.client.RemoteCanopy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Caches of clients of a server, of two managers as of two programs. */
final class RemoteCachesTest {
  private static final TestServer SERVER = new TestServer();
  private static final CanopyCachingProvider ONE = new CanopyCachingProvider();
  private static final CanopyCachingProvider TWO = new CanopyCachingProvider();

  @AfterAll
  static void close() {
    ONE.close();
    TWO.close();
    SERVER.close();
  }

  private static URI uri() {
    return URI.create("canopy://" + SERVER.address());
  }

  private static CanopyConfiguration<Long, String> names() {
    return CanopyConfiguration.of(TestCaches.configuration())
        .withKeys(Codec.int64())
        .withValues(Codec.string());
  }

  @Test
  void allProgramsSeeTheSameEntries() {
    Cache<Long, String> here = ONE.getCacheManager(uri(), null).createCache("names", names());
    Cache<Long, String> there = TWO.getCacheManager(uri(), null).createCache("names", names());

    here.put(2L, "Grace");
    here.put(-1L, "Ada");

    assertThat(there.get(2L)).isEqualTo("Grace");
    assertThat(there).extracting(Cache.Entry::getKey).containsExactly(-1L, 2L);
    assertThat(there.putIfAbsent(2L, "other")).isFalse();
    here.close();
    assertThat(there.get(2L)).as("closing keeps entries").isEqualTo("Grace");
    try (Canopy program = RemoteCanopy.connect(uri().toString())) {
      Index<Long, Tuple> index =
          program.index("names", Codec.int64(), Codec.tuple(Codec.int64(), Codec.string()));
      Tuple pair =
          program.<Tuple, RuntimeException>read(tx -> Objects.requireNonNull(tx.on(index).get(2L)));
      assertThat(pair).isEqualTo(Tuple.of(Long.MAX_VALUE, "Grace"));
    }
    TWO.getCacheManager(uri(), null).destroyCache("names");
  }

  @Test
  void countersAddUp() throws Exception {
    CanopyConfiguration<Long, String> counters = names();
    Cache<Long, String> here = ONE.getCacheManager(uri(), null).createCache("counts", counters);
    Cache<Long, String> there = TWO.getCacheManager(uri(), null).createCache("counts", counters);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> ends = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      Cache<Long, String> cache = thread % 2 == 0 ? here : there;
      ends.add(
          threads.submit(() -> {
            for (int i = 0; i < 50; i++) {
              cache.invoke(
                  7L,
                  (entry, arguments) -> {
                    entry.setValue(
                        Integer.toString(
                            entry.exists() ? Integer.parseInt(entry.getValue()) + 1 : 1));
                    return true;
                  });
            }
          }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
    assertThat(here.get(7L)).isEqualTo("200");
  }

  @Test
  void theProviderIsFoundAndItsManagerConnects() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager(uri(), null);
    Canopy opened = manager.unwrap(Canopy.class);
    assertThat(opened).isInstanceOf(RemoteCanopy.class);

    manager.close();

    assertThatThrownBy(opened::indexes).hasMessageStartingWith("CNPY-4006");
  }

  @Test
  void noServerIsACodedError() {
    assertThatThrownBy(() -> ONE.getCacheManager(URI.create("canopy://127.0.0.1:1"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageStartingWith(ErrorCode.NOT_CONNECTED.toString())
        .hasCauseInstanceOf(CanopyException.class);
  }
}
