package io.canopygrid.btree.crown;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The number of subtrees per node that an operator has fixed for an index. Stored in kcl {@link
 * ReservedKcl#CUT_OFFS} of TOP under the index's number.
 *
 * @param index the index's number
 * @param subtreesPerNode at least 1
 */
public record CutOffEntry(int index, int subtreesPerNode) {
  /** The key of an index's entry in TOP. */
  public static CompositeKey key(int index) {
    return ReservedKcl.CUT_OFFS.key(ByteBuffer.allocate(Integer.BYTES).putInt(index).array());
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(subtreesPerNode).array();
  }

  /** All that are fixed, by index, as far as a copy of TOP knows. */
  public static Map<Integer, Integer> all(OrderedView<VersionChain> top) {
    Map<Integer, Integer> all = new HashMap<>();
    OrderedCursor<VersionChain> cursor = top.ascending(ReservedKcl.CUT_OFFS.firstKey());
    byte[] end = ReservedKcl.CUT_OFFS.endKey();
    while (cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      byte[] value = cursor.value().value();
      if (value != null) {
        byte[] ku = CompositeKey.ofBytes(cursor.key()).ku();
        Invariant.holds(
            ku.length == Integer.BYTES && value.length == Integer.BYTES, "a cut-off is a number");
        all.put(ByteBuffer.wrap(ku).getInt(), ByteBuffer.wrap(value).getInt());
      }
    }
    return all;
  }
}
