package io.canopygrid.btree.crown;

import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Routing through a copy of TOP: a dirty read of the newest entry, which is no part of what a
 * transaction read (docs/internals/index.md, Finding and reaching a key). A copy that lags leads to
 * a subtree that had the key once, whose header leads on. A copy that is ahead of a snapshot leads
 * to a subtree that is not born in it, or does not have the key yet; such a subtree leads back.
 */
public final class Crown {
  private Crown() {}

  /** The subtree that has a key, {@link SubtreeHeader#NONE} where the copy has no entry for it. */
  public static long subtreeOf(OrderedView<VersionChain> top, int index, byte[] key) {
    return kclBelow(top, index, probe(index, key, 1));
  }

  /**
   * The subtree that has the greatest keys below an end, {@link SubtreeHeader#NONE} where the copy
   * has no entry for it.
   *
   * @param end above the empty key; null: the end of the index
   */
  public static long subtreeBelow(OrderedView<VersionChain> top, int index, byte @Nullable [] end) {
    return kclBelow(top, index, end == null ? endOf(index) : probe(index, end, 0));
  }

  /**
   * The last entry below an end, null where the copy has none.
   *
   * @param end above the empty key; null: the end of the index
   */
  public static @Nullable CrownEntry entryBelow(
      OrderedView<VersionChain> top, int index, byte @Nullable [] end) {
    OrderedCursor<VersionChain> cursor =
        top.descending(end == null ? endOf(index) : probe(index, end, 0));
    while (cursor.next() && isOf(index, cursor.key())) {
      byte[] value = cursor.value().value();
      if (value != null) {
        return CrownEntry.decode(CompositeKey.ofBytes(cursor.key()).ku(), value);
      }
    }
    return null;
  }

  /**
   * The entries above a key, in order.
   *
   * @param end theirs, exclusive; null: that of the index
   * @param max most entries
   */
  public static List<CrownEntry> entriesAbove(
      OrderedView<VersionChain> top, int index, byte[] key, byte @Nullable [] end, int max) {
    return entries(
        top, probe(index, key, 1), end == null ? endOf(index) : probe(index, end, 0), max);
  }

  private static List<CrownEntry> entries(
      OrderedView<VersionChain> top, byte[] from, byte[] limit, int max) {
    OrderedCursor<VersionChain> cursor = top.ascending(from);
    List<CrownEntry> entries = new ArrayList<>();
    while (entries.size() < max
        && cursor.next()
        && Arrays.compareUnsigned(cursor.key(), limit) < 0) {
      byte[] value = cursor.value().value();
      if (value != null) {
        entries.add(CrownEntry.decode(CompositeKey.ofBytes(cursor.key()).ku(), value));
      }
    }
    return entries;
  }

  /** All entries of an index, in order. */
  public static List<CrownEntry> entriesOf(OrderedView<VersionChain> top, int index) {
    return entries(top, probe(index, new byte[0], 0), endOf(index), Integer.MAX_VALUE);
  }

  /** All entries of all indexes, by index and separator. */
  public static void forEach(OrderedView<VersionChain> top, Consumer<CrownEntry> action) {
    OrderedCursor<VersionChain> cursor = top.ascending(ReservedKcl.CROWN.firstKey());
    while (cursor.next()) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      if (!ReservedKcl.CROWN.has(key)) {
        return;
      }
      byte[] value = cursor.value().value();
      if (value != null) {
        action.accept(CrownEntry.decode(key.ku(), value));
      }
    }
  }

  private static long kclBelow(OrderedView<VersionChain> top, int index, byte[] below) {
    OrderedCursor<VersionChain> cursor = top.descending(below);
    while (cursor.next() && isOf(index, cursor.key())) {
      byte[] value = cursor.value().value();
      if (value != null) {
        return kclOf(value);
      }
    }
    return SubtreeHeader.NONE;
  }

  /** The key of an index's entry, followed by zeros. */
  private static byte[] probe(int index, byte[] key, int zeros) {
    byte[] probe = new byte[CrownEntry.PREFIX_BYTES + key.length + zeros];
    ByteBuffer.wrap(probe).putLong(CrownEntry.KCL).putInt(index).put(key);
    return probe;
  }

  private static byte[] endOf(int index) {
    return ByteBuffer.allocate(CrownEntry.PREFIX_BYTES)
        .putLong(CrownEntry.KCL)
        .putInt(index + 1)
        .array();
  }

  private static boolean isOf(int index, byte[] key) {
    ByteBuffer in = ByteBuffer.wrap(key);
    return in.getLong() == CrownEntry.KCL
        && key.length >= CrownEntry.PREFIX_BYTES
        && in.getInt() == index;
  }

  private static long kclOf(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }
}
