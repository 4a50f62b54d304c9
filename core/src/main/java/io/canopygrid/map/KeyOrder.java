package io.canopygrid.map;

import io.canopygrid.Codec;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The order of an index: that of the keys' encoded bytes. As thread-safe as the codec. */
record KeyOrder<K>(Codec<K> codec) implements Comparator<K> {
  @Override
  public int compare(K one, K other) {
    return Arrays.compareUnsigned(codec.encode(one), codec.encode(other));
  }

  /**
   * A caller's key.
   *
   * @throws NullPointerException if it is null
   * @throws ClassCastException if it is of another type, as far as the codec notices
   */
  @SuppressWarnings("unchecked") // the codec's encoding tells
  K checked(@Nullable Object key) {
    K checked = (K) Objects.requireNonNull(key, "the key is null");
    codec.encode(checked);
    return checked;
  }

  /** The order as the JDK's maps tell it: null where it is that of the keys themselves. */
  @Nullable Comparator<? super K> comparator(boolean descending) {
    Comparator<K> ascending = codec.naturallyOrdered() ? null : this;
    return descending ? Collections.reverseOrder(ascending) : ascending;
  }
}
