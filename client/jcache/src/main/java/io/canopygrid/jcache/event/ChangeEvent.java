package io.canopygrid.jcache.event;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import org.jspecify.annotations.Nullable;

/**
 * A change as a listener sees it: with the old value where the listener has asked for that. As its
 * source it is not to be serialised.
 */
final class ChangeEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1L;

  private final transient CacheChange<K, V> change;
  private final boolean showsOld;

  ChangeEvent(Cache<K, V> source, CacheChange<K, V> change, boolean showsOld) {
    super(source, change.type());
    this.change = change;
    this.showsOld = showsOld;
  }

  @Override
  public K getKey() {
    return change.key();
  }

  /** The last value of an entry that is gone counts as an old one. */
  @Override
  public @Nullable V getValue() {
    return change.isGone() && !showsOld ? null : change.value();
  }

  @Override
  public @Nullable V getOldValue() {
    return showsOld ? change.old() : null;
  }

  @Override
  public boolean isOldValueAvailable() {
    return showsOld && change.old() != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an event is no " + type.getName());
  }

  @Override
  public String toString() {
    return getEventType() + " " + getKey();
  }
}
