package shop;

import io.canopygrid.Codec;
import io.canopygrid.jcache.CanopyConfiguration;
import java.net.URI;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;

/** Books that are forgotten an hour after they were changed. */
public final class Books {
  /** A book. */
  public record Book(String title, int copies) {}

  private static final CanopyConfiguration<Long, Book> BOOKS =
      CanopyConfiguration.of(
              new MutableConfiguration<Long, Book>()
                  .setTypes(Long.class, Book.class)
                  .setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR)))
          .withKeys(Codec.int64())
          .withValues(Codec.json(Book.class));

  private Books() {}

  /** Takes the URI of servers; without one, the cache is of this program alone. */
  public static void main(String[] args) {
    URI uri = URI.create(args.length > 0 ? args[0] : "canopy:standalone");
    try (CacheManager manager = Caching.getCachingProvider().getCacheManager(uri, null)) {
      Cache<Long, Book> books = manager.createCache("books", BOOKS);
      books.put(1L, new Book("SICP", 3));
      int left =
          books.invoke(1L, (entry, arguments) -> {
            Book book = entry.getValue();
            entry.setValue(new Book(book.title(), book.copies() - 1));
            return book.copies() - 1;
          });
      System.out.println(left + " left of " + books.get(1L).title());
    }
  }
}
