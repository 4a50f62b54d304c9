package io.canopygrid.jcache;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Refuses nulls, and keys and values of other types than the configuration names. Immutable. */
record TypeChecks<K, V>(Class<K> keys, Class<V> values) {
  K key(K key) {
    return checked(keys, key, "the key");
  }

  V value(V value) {
    return checked(values, value, "the value");
  }

  <C extends Collection<? extends K>> C keys(C all) {
    Objects.requireNonNull(all, "the keys are null");
    all.forEach(this::key);
    return all;
  }

  Set<? extends K> set(Set<? extends K> all) {
    return keys(all);
  }

  <M extends Map<? extends K, ? extends V>> M entries(M all) {
    Objects.requireNonNull(all, "the entries are null");
    all.forEach((key, value) -> {
      key(key);
      value(value);
    });
    return all;
  }

  private static <T> T checked(Class<T> type, T object, String what) {
    Objects.requireNonNull(object, () -> what + " is null");
    if (!type.isInstance(object)) {
      throw new ClassCastException(
          what + " is a " + object.getClass().getName() + ", not a " + type.getName());
    }
    return object;
  }
}
