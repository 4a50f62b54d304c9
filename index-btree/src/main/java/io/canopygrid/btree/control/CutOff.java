package io.canopygrid.btree.control;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How many subtrees per node an index is to have, where somebody has fixed it. Stored in kcl
 * {@value #KCL} of TOP under the index's number.
 *
 * @param index the index's number
 * @param subtreesPerNode at least 1
 */
public record CutOff(int index, int subtreesPerNode) {
  /** The kcl of these entries: those below are the catalog's, the crown's and others. */
  public static final long KCL = 6;

  /** The key of an index's entry in TOP. */
  public static CompositeKey key(int index) {
    return CompositeKey.of(KCL, ByteBuffer.allocate(Integer.BYTES).putInt(index).array());
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(subtreesPerNode).array();
  }

  /** All that are fixed, by index, as far as a copy of TOP knows. */
  public static Map<Integer, Integer> all(OrderedView<VersionChain> top) {
    Map<Integer, Integer> all = new HashMap<>();
    OrderedCursor<VersionChain> cursor = top.ascending(CompositeKey.header(KCL).bytes());
    byte[] end = CompositeKey.header(KCL + 1).bytes();
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
