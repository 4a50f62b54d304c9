package io.canopygrid.jcache.entry;

/**
 * The value of an entry as the index has it. Immutable, apart from the value itself, which is
 * decoded anew for each reader.
 *
 * @param value what the cache's users see
 * @param expiresMillis the first millisecond since 1970 in which they do not; {@link #NEVER}
 * @param <V> values
 */
public record CachedValue<V>(V value, long expiresMillis) {
  /** The time of a value that does not expire. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Whether the value is not to be seen at this time. */
  public boolean isExpired(long nowMillis) {
    return expiresMillis <= nowMillis;
  }

  /** The same value with another time. */
  public CachedValue<V> until(long millis) {
    return new CachedValue<>(value, millis);
  }
}
