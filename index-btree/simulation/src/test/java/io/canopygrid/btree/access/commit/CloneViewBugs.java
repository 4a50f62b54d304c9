package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.btree.crown.MarkedValue;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Broken rules of clones in transactions. */
public final class CloneViewBugs {
  /** A layer is read in the transaction's own snapshot. */
  public static final Replacement LAYER_AT_PRESENT =
      Replacement.replacing(
          TreeTransaction.class,
          "layer",
          call -> {
            IndexRef clone = call.argument(0, IndexRef.class);
            CloneLayer layer = call.argument(1, CloneLayer.class);
            return layer.isClone() ? call.proceed() : call.self().on(clone.of(layer));
          });

  /** That the clone has no entry of its own is not validated. */
  public static final Replacement ABSENCE_NOT_VALIDATED =
      Replacement.replacing(
          CloneView.class,
          "get",
          call -> {
            byte[] key = call.argument(0, byte[].class);
            boolean isOwn = call.field("own", PlainView.class).glance(key) != null;
            return isOwn ? call.proceed() : below(call, key, true);
          });

  /** A key that a layer masks is looked for below the layer. */
  public static final Replacement MASKS_OF_LAYERS_IGNORED =
      Replacement.replacing(
          CloneView.class, "below", call -> below(call, call.argument(0, byte[].class), false));

  private CloneViewBugs() {}

  @SuppressWarnings("unchecked") // fields of these types
  private static byte @Nullable [] below(
      Replacement.Call<CloneView> call, byte[] key, boolean isMasked) {
    Function<CloneLayer, PlainView> opener = call.field("opener", Function.class);
    for (CloneLayer layer : (List<CloneLayer>) call.field("layers", List.class)) {
      byte[] stored = opener.apply(layer).get(key);
      byte[] value = stored == null || !layer.isClone() ? stored : MarkedValue.valueOf(stored);
      if (value != null || (stored != null && isMasked)) {
        return value;
      }
    }
    return null;
  }
}
