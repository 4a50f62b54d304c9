package io.canopygrid.jcache.entry;

import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An expiry policy in points of time, in milliseconds since 1970. A policy that fails is logged; a
 * new entry then does not expire, and another one keeps its time. Thread-safe if the policy is.
 */
public final class ExpiryTimes {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryTimes.class);

  private final ExpiryPolicy policy;

  /** Of a policy. */
  public ExpiryTimes(ExpiryPolicy policy) {
    this.policy = policy;
  }

  /** The policy. */
  public ExpiryPolicy policy() {
    return policy;
  }

  /** The time of an entry that is created now. */
  public long created(long nowMillis) {
    return after(nowMillis, asked(policy::getExpiryForCreation), CachedValue.NEVER);
  }

  /** The time of an entry whose value is replaced now. */
  public long updated(long nowMillis, long beforeMillis) {
    return after(nowMillis, asked(policy::getExpiryForUpdate), beforeMillis);
  }

  /** The time of an entry that is read now. */
  public long accessed(long nowMillis, long beforeMillis) {
    return after(nowMillis, asked(policy::getExpiryForAccess), beforeMillis);
  }

  /** Whether a value that is put has the same time whether there was one before or not. */
  public boolean isSameForUpdates() {
    Class<?> type = policy.getClass();
    return type == EternalExpiryPolicy.class
        || type == ModifiedExpiryPolicy.class
        || type == TouchedExpiryPolicy.class;
  }

  private static @Nullable Duration asked(Supplier<@Nullable Duration> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      LOG.warn("the expiry policy failed", e);
      return null;
    }
  }

  private static long after(long nowMillis, @Nullable Duration duration, long otherwise) {
    if (duration == null) {
      return otherwise;
    }
    long then = duration.getAdjustedTime(nowMillis);
    return then < nowMillis ? CachedValue.NEVER : then; // past the end of time
  }
}
