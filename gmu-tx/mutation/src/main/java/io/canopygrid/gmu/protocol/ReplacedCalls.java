package io.canopygrid.gmu.protocol;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The methods that are replaced now, and what is called instead of each. A woven method asks {@link
 * #enter} at its beginning, from whatever package it is in.
 */
public final class ReplacedCalls {
  private static final Map<String, Instead> ACTIVE = new ConcurrentHashMap<>();

  /** The call that stands in for the method whose original is about to run on this thread. */
  private static final ThreadLocal<@Nullable Instead> PROCEEDING = new ThreadLocal<>();

  private ReplacedCalls() {}

  /** The code that is called instead of a method; it gives what the method returns. */
  @FunctionalInterface
  interface Instead {
    @Nullable Object call(@Nullable Object self, @Nullable Object[] arguments);
  }

  /** The ids of the methods that are replaced now. */
  static Set<String> active() {
    return ACTIVE.keySet();
  }

  static void replace(String id, Instead instead) {
    ACTIVE.put(id, instead);
  }

  static void clear() {
    ACTIVE.clear();
  }

  /** The next call on this thread of the method that this stands in for runs the method itself. */
  static void proceeding(Instead instead) {
    PROCEEDING.set(instead);
  }

  /**
   * A method that may be replaced is called.
   *
   * @param id the method's class and name
   * @return its result, in an array; null: the method itself is to run
   */
  @SuppressWarnings("ReferenceEquality") // the very replacement that proceeds
  public static @Nullable Object @Nullable [] enter(
      String id, @Nullable Object self, @Nullable Object[] arguments) {
    Instead instead = ACTIVE.get(id);
    if (instead == null) {
      return null;
    }
    if (PROCEEDING.get() == instead) {
      PROCEEDING.remove();
      return null;
    }
    return new @Nullable Object[] {instead.call(self, arguments)};
  }
}
