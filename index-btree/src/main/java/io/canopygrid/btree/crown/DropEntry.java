package io.canopygrid.btree.crown;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A note that an index was dropped. It is written with the change that takes the index out of the
 * catalog, and removed when the crown has no subtree of the index any more and no snapshot in use
 * is older than the drop. Stored in kcl {@link ReservedKcl#DROPS} of TOP under the index's name, a
 * zero byte and its number.
 *
 * @param name the name that it had
 * @param index its entry in the catalog
 */
public record DropEntry(String name, CatalogEntry index) {
  /** The end of a name, which no name contains. */
  private static final byte END = 0;

  /** The entry's key in TOP. */
  public CompositeKey key() {
    byte[] prefix = prefix(name);
    byte[] ku =
        ByteBuffer.allocate(prefix.length + Integer.BYTES)
            .put(prefix)
            .putInt(index.number())
            .array();
    return ReservedKcl.DROPS.key(ku);
  }

  /** The entry's value in TOP. */
  public byte[] value() {
    return index.encode();
  }

  /** The ku at or below those of all dropped indexes of a name, and of no other one. */
  public static byte[] prefix(String name) {
    return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), name.length() + 1);
  }

  /** A ku above those of all dropped indexes of a name. */
  public static byte[] end(String name) {
    byte[] end = prefix(name);
    end[end.length - 1] = END + 1;
    return end;
  }

  /** The entry of a ku and its value. */
  public static DropEntry decode(byte[] ku, byte[] value) {
    int length = ku.length - 1 - Integer.BYTES;
    Invariant.holds(length > 0 && ku[length] == END, "a dropped index has a name and a number");
    String name = new String(ku, 0, length, StandardCharsets.US_ASCII);
    return new DropEntry(name, CatalogEntry.decode(value));
  }

  /**
   * A drop as a copy of TOP knows it.
   *
   * @param seenByAll whether every snapshot in use has seen it
   */
  public record Known(DropEntry drop, boolean seenByAll) {}

  /** All drops that a copy of TOP knows. */
  public static List<Known> all(OrderedView<VersionChain> top) {
    List<Known> found = new ArrayList<>();
    OrderedCursor<VersionChain> cursor = top.ascending(ReservedKcl.DROPS.firstKey());
    byte[] end = ReservedKcl.DROPS.endKey();
    while (cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      VersionChain chain = cursor.value();
      byte[] value = chain.value();
      if (value != null) {
        DropEntry drop = decode(CompositeKey.ofBytes(cursor.key()).ku(), value);
        // A version at or below the horizon has dropped its clock.
        found.add(new Known(drop, chain.clock().equals(VectorClock.ZERO)));
      }
    }
    return found;
  }

  /** Whether a copy of TOP knows that the index of a number was dropped, and not long ago. */
  public static boolean has(OrderedView<VersionChain> top, int index) {
    return all(top).stream().anyMatch(known -> known.drop().index().number() == index);
  }
}
