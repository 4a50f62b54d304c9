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
    return key(name, index.number());
  }

  /** The key in TOP of the drop of an index. */
  public static CompositeKey key(String name, int number) {
    byte[] prefix = prefix(name);
    return ReservedKcl.DROPS.key(
        ByteBuffer.allocate(prefix.length + Integer.BYTES).put(prefix).putInt(number).array());
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
    return from(top, ReservedKcl.DROPS.firstKey(), Integer.MAX_VALUE);
  }

  /**
   * Some of the drops that a copy of TOP knows, in the order of their keys.
   *
   * @param first the bytes of the least key
   * @param max most drops
   */
  public static List<Known> from(OrderedView<VersionChain> top, byte[] first, int max) {
    List<Known> found = new ArrayList<>();
    OrderedCursor<VersionChain> cursor = top.ascending(first);
    byte[] end = ReservedKcl.DROPS.endKey();
    while (found.size() < max && cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
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

  /** Whether a copy of TOP knows that the index of a name and number was dropped. */
  public static boolean has(OrderedView<VersionChain> top, String name, int number) {
    VersionChain chain = top.get(key(name, number).bytes());
    return chain != null && chain.value() != null;
  }
}
