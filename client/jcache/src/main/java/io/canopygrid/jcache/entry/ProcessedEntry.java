package io.canopygrid.jcache.entry;

import java.util.Objects;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * The entry that a processor sees: what it does is noted, and its end is applied when the processor
 * returns. Confined to one thread.
 */
final class ProcessedEntry<K, V> implements MutableEntry<K, V> {
  /** The work that is left when the processor returns. */
  private enum Step {
    NOTHING,
    TOUCH,
    LOAD,
    PUT,
    REMOVE
  }

  private final K key;
  private final @Nullable CachedValue<V> before;
  private final ReadThrough<K, V> loader;
  private @Nullable V value;
  private Step step = Step.NOTHING;

  ProcessedEntry(K key, @Nullable CachedValue<V> before, ReadThrough<K, V> loader) {
    this.key = key;
    this.before = before;
    this.loader = loader;
    this.value = before == null ? null : before.value();
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public @Nullable V getValue() {
    if (step == Step.NOTHING) {
      if (before != null) {
        step = Step.TOUCH;
      } else {
        value = loader.onMiss(key);
        step = value == null ? Step.NOTHING : Step.LOAD;
      }
    }
    return value;
  }

  @Override
  public void setValue(V next) {
    value = Objects.requireNonNull(next, "the value is null");
    step = Step.PUT;
  }

  /** An entry that came into being in the processor is not removed: it never was there. */
  @Override
  public void remove() {
    boolean isNew = before == null && (step == Step.PUT || step == Step.LOAD);
    value = null;
    step = isNew ? Step.NOTHING : Step.REMOVE;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }

  void apply(CacheAttempt<K, V> attempt) {
    switch (step) {
      case NOTHING -> {}
      case TOUCH -> attempt.touch(key, Objects.requireNonNull(before));
      case LOAD -> attempt.set(key, Objects.requireNonNull(value), null);
      case PUT -> attempt.put(key, Objects.requireNonNull(value), before);
      case REMOVE -> attempt.remove(key, before);
    }
  }
}
