package io.canopygrid.gmu.node;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.protocol.Effect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lends each thread its own list of effects, again and again. A thread that asks while it has one,
 * because what it carries out leads back into a step, gets a new one.
 */
final class EffectLists {
  /** A list that has held more than this is not kept, since it would keep its size for good. */
  private static final int KEPT_SIZE_MAX = 1_000;

  private static final ThreadLocal<@Nullable List<Effect>> SPARE = new ThreadLocal<>();

  private EffectLists() {}

  static List<Effect> take() {
    List<Effect> spare = SPARE.get();
    if (spare == null) {
      return new ArrayList<>();
    }
    Invariant.holds(spare.isEmpty(), "a list of effects that is in use: %s", spare);
    SPARE.set(null);
    return spare;
  }

  static void giveBack(List<Effect> effects) {
    if (effects.size() <= KEPT_SIZE_MAX) {
      effects.clear();
      SPARE.set(effects);
    }
  }
}
