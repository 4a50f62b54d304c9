package io.canopygrid.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.spring.CanopyTemplate;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A cache that is an index. */
final class CanopyCacheTest {
  private static final Canopy CANOPY = EmbeddedCanopy.start();
  private static final CanopyTemplate TEMPLATE =
      new CanopyTemplate(CANOPY, TransactionOptions.DEFAULTS);
  private static final CanopyCacheManager CACHES =
      CanopyCacheManager.of(TEMPLATE).cache("books", Codec.int64(), Codec.string()).build();

  private final Cache books = Objects.requireNonNull(CACHES.getCache("books"));

  @AfterAll
  static void close() {
    CANOPY.close();
  }

  @BeforeEach
  void empty() {
    books.clear();
  }

  private @Nullable Object value(long key) {
    Cache.ValueWrapper found = books.get(key);
    return found == null ? null : found.get();
  }

  @Test
  void itKeepsWhatIsPut() {
    books.put(1L, "SICP");
    books.put(2L, null);

    assertThat(value(1)).isEqualTo("SICP");
    assertThat(books.get(2L)).isNotNull();
    assertThat(value(2)).isNull();
    assertThat(books.get(3L)).isNull();
    assertThat(CACHES.getCacheNames()).containsExactly("books");
    assertThat(CACHES.getCache("films")).isNull();
  }

  @Test
  void evictionsTakeAway() {
    books.put(1L, "SICP");

    assertThat(books.evictIfPresent(1L)).isTrue();
    assertThat(books.evictIfPresent(1L)).isFalse();
    books.put(1L, "SICP");
    books.evict(1L);
    assertThat(books.get(1L)).isNull();
    books.put(1L, "SICP");
    books.clear();
    assertThat(books.get(1L)).isNull();
  }

  @Test
  void theFirstValueStays() {
    assertThat(books.putIfAbsent(1L, "first")).isNull();
    assertThat(Objects.requireNonNull(books.putIfAbsent(1L, "second")).get()).isEqualTo("first");
    assertThat(value(1)).isEqualTo("first");
  }

  @Test
  void allCallersGetTheValueThatWasPutFirst() {
    String loaded =
        books.get(
            1L,
            () -> {
              CompletableFuture.runAsync(() -> books.put(1L, "of another")).join();
              return "own";
            });
    assertThat(loaded).isEqualTo("of another");
    assertThat(books.<String>get(1L, () -> "never asked")).isEqualTo("of another");
    assertThatThrownBy(() ->
            books.get(
                2L,
                () -> {
                  throw new IllegalStateException("no book");
                }))
        .isInstanceOf(Cache.ValueRetrievalException.class)
        .hasRootCauseMessage("no book");
  }

  @Test
  void inATransactionItIsAPartOfThat() {
    assertThatThrownBy(() ->
            TEMPLATE.run(tx -> {
              books.put(1L, "rolled back");
              assertThat(value(1)).isEqualTo("rolled back");
              throw new IllegalStateException("end");
            }))
        .hasMessage("end");
    assertThat(books.get(1L)).isNull();
    books.put(1L, "there");
    TEMPLATE.run(tx -> books.clear());
    assertThat(books.get(1L)).isNull();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Cached {
    @Bean
    CanopyCacheManager caches() {
      return CACHES;
    }

    @Bean
    Shelf shelf() {
      return new Shelf();
    }
  }

  static class Shelf {
    private int searches;

    @Cacheable("books")
    public String find(long id) {
      searches++;
      return "book " + id;
    }

    public int searches() {
      return searches;
    }
  }

  @Test
  void methodsAreCached() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Cached.class)) {
      Shelf shelf = context.getBean(Shelf.class);

      assertThat(shelf.find(7)).isEqualTo("book 7");
      assertThat(shelf.find(7)).isEqualTo("book 7");
      assertThat(shelf.searches()).isEqualTo(1);
      assertThat(value(7)).isEqualTo("book 7");
    }
  }
}
