package io.canopygrid.jcache.management;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;

/**
 * The statistics of one cache object: the calls at this JVM, whatever others do with the index.
 * Thread-safe.
 */
public final class CacheCounts implements CacheStatisticsMXBean {
  /** The kind of a call, for its time. */
  public enum Kind {
    /** A call that reads. */
    GET,
    /** A call that writes. */
    PUT,
    /** A call that takes away. */
    REMOVE
  }

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removeNanos = new LongAdder();

  /** Adds what a call has come to. */
  public void add(long newHits, long newMisses, long newPuts, long newRemovals) {
    hits.add(newHits);
    misses.add(newMisses);
    puts.add(newPuts);
    removals.add(newRemovals);
  }

  /** Adds the time of a call. */
  public void time(Kind kind, long nanos) {
    switch (kind) {
      case GET -> getNanos.add(nanos);
      case PUT -> putNanos.add(nanos);
      case REMOVE -> removeNanos.add(nanos);
    }
  }

  @Override
  public void clear() {
    hits.reset();
    misses.reset();
    puts.reset();
    removals.reset();
    getNanos.reset();
    putNanos.reset();
    removeNanos.reset();
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits());
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(getCacheMisses());
  }

  private float percentage(long part) {
    long gets = getCacheGets();
    return gets == 0 ? 0 : 100f * part / gets;
  }

  @Override
  public long getCacheGets() {
    return getCacheHits() + getCacheMisses();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  /** Nothing is evicted: an index has room, or refuses. */
  @Override
  public long getCacheEvictions() {
    return 0;
  }

  @Override
  public float getAverageGetTime() {
    return averageMicros(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return averageMicros(putNanos, getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return averageMicros(removeNanos, getCacheRemovals());
  }

  private static float averageMicros(LongAdder nanos, long calls) {
    return calls == 0 ? 0 : (float) nanos.sum() / calls / TimeUnit.MICROSECONDS.toNanos(1);
  }
}
