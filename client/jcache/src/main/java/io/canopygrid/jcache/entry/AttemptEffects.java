package io.canopygrid.jcache.entry;

import io.canopygrid.jcache.event.CacheChange;
import java.util.ArrayList;
import java.util.List;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The results of an attempt beside its writes: to be told of once it is committed, and forgotten
 * otherwise. Confined to one thread.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class AttemptEffects<K, V> {
  private final List<CacheChange<K, V>> changes = new ArrayList<>();
  private long hits;
  private long misses;
  private long puts;
  private long removals;
  private @Nullable CacheWriterException failure;

  void changed(CacheChange<K, V> change) {
    changes.add(change);
  }

  void read(boolean found) {
    if (found) {
      hits++;
    } else {
      misses++;
    }
  }

  void put() {
    puts++;
  }

  void removed() {
    removals++;
  }

  void failed(@Nullable CacheWriterException why) {
    failure = why;
  }

  /** The changes, in their order. */
  public List<CacheChange<K, V>> changes() {
    return List.copyOf(changes);
  }

  /** The number of reads that found a value. */
  public long hits() {
    return hits;
  }

  /** The number of reads that found none. */
  public long misses() {
    return misses;
  }

  /** The number of values that were put. */
  public long puts() {
    return puts;
  }

  /** The number of entries that were taken away. */
  public long removals() {
    return removals;
  }

  /** Why only a part of what was asked for was done; null: all of it was. */
  public @Nullable CacheWriterException failure() {
    return failure;
  }
}
