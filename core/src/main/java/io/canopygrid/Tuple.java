package io.canopygrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key of several components, for {@link Codec#tuple}: {@code Tuple.of("alice", 7L)}. Immutable
 * and thread-safe if the components are.
 */
public final class Tuple {
  /** Most components. */
  public static final int SIZE_MAX = 16;

  private final List<Object> components;

  private Tuple(List<Object> components) {
    this.components = components;
  }

  /**
   * A tuple of these components.
   *
   * @param components 0 to {@value #SIZE_MAX}, none null; fewer than the codec has only in {@link
   *     Range#prefix}
   * @throws CanopyException {@link ErrorCode#NULL_NOT_ALLOWED}, {@link ErrorCode#INVALID_ARGUMENT}
   */
  public static Tuple of(@Nullable Object... components) {
    Arguments.inRange("components", components.length, 0, SIZE_MAX);
    List<Object> list = new ArrayList<>(components.length);
    for (int i = 0; i < components.length; i++) {
      list.add(Arguments.notNull("component " + i + " of a tuple", components[i]));
    }
    return new Tuple(List.copyOf(list));
  }

  /** The number of components. */
  public int size() {
    return components.size();
  }

  /**
   * A component.
   *
   * @param i from 0 to size() - 1
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} outside of that
   */
  public Object get(int i) {
    Arguments.inRange("component", i, 0, components.size() - 1L);
    return components.get(i);
  }

  /**
   * A component of a known type.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} if there is none, or it is of
   *     another type
   */
  public <T> T get(int i, Class<T> type) {
    Object component = get(i);
    if (!type.isInstance(component)) {
      throw Arguments.invalid(
          "component "
              + i
              + " is a "
              + component.getClass().getName()
              + ", not a "
              + type.getName());
    }
    return type.cast(component);
  }

  /** Whether the other is a tuple of equal components; byte arrays are equal by content. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Tuple t && Arrays.deepEquals(components.toArray(), t.components.toArray());
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(components.toArray());
  }

  /** For people: {@code [alice, 7]}. */
  @Override
  public String toString() {
    return Arrays.deepToString(components.toArray());
  }
}
