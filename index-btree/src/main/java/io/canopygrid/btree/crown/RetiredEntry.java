package io.canopygrid.btree.crown;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A note that a subtree is retired and its header is still there. It is written with the change
 * that retires the subtree, and removed with the header. Stored in kcl {@link ReservedKcl#RETIRED}
 * of TOP under the subtree's kcl.
 *
 * @param kcl the subtree
 */
public record RetiredEntry(long kcl) {
  /** The entry's key in TOP. */
  public CompositeKey key() {
    return ReservedKcl.RETIRED.key(ByteBuffer.allocate(Long.BYTES).putLong(kcl).array());
  }

  /**
   * The subtrees that no snapshot can need any more, as far as a copy of TOP knows: every snapshot
   * in use has seen that they were retired.
   *
   * @param max most of them
   */
  public static List<RetiredEntry> unneeded(OrderedView<VersionChain> top, int max) {
    List<RetiredEntry> found = new ArrayList<>();
    OrderedCursor<VersionChain> cursor = top.ascending(ReservedKcl.RETIRED.firstKey());
    byte[] end = ReservedKcl.RETIRED.endKey();
    while (found.size() < max && cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      VersionChain chain = cursor.value();
      // A version at or below the horizon has dropped its clock.
      if (!chain.isTombstone() && chain.clock().equals(VectorClock.ZERO)) {
        found.add(decode(CompositeKey.ofBytes(cursor.key())));
      }
    }
    return found;
  }

  private static RetiredEntry decode(CompositeKey key) {
    byte[] ku = key.ku();
    Invariant.holds(ku.length == Long.BYTES, "a retired entry of %s bytes", ku.length);
    return new RetiredEntry(ByteBuffer.wrap(ku).getLong());
  }
}
