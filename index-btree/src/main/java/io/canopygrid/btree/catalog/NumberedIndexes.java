package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.engine.KeyText;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.ScalarCodecs;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** The indexes of the catalog as transactions know them, by number. Thread-safe. */
public final class NumberedIndexes {
  private final Catalog catalog;
  private final IntToLongFunction splits;
  private final Map<Integer, IndexRef> byNumber = new ConcurrentHashMap<>();

  /**
   * The indexes of a catalog.
   *
   * @param splits how many subtrees of the index of a number this node has split
   */
  public NumberedIndexes(Catalog catalog, IntToLongFunction splits) {
    this.catalog = catalog;
    this.splits = splits;
  }

  /**
   * The index of a number; also one that was dropped, as long as a snapshot in use may have it.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef index(int number) {
    IndexRef known = byNumber.get(number);
    if (known != null) {
      return known;
    }
    for (Map.Entry<String, CatalogEntry> entry : catalog.entries().entrySet()) {
      if (entry.getValue().number() == number) {
        return stored(entry.getKey(), entry.getValue());
      }
    }
    DropEntry dropped = catalog.dropped().get(number);
    if (dropped != null) {
      return stored(dropped.name(), dropped.index());
    }
    throw unknown(number);
  }

  /**
   * The index of a number, where it is a user's.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public IndexRef ofUser(int number) {
    IndexRef index = index(number);
    if (Catalog.isOfSystem(index.name())) {
      throw unknown(number);
    }
    return index;
  }

  /** The same where it was asked for before; else null. Does not block. */
  public @Nullable IndexRef ofUserAtHand(int number) {
    IndexRef known = byNumber.get(number);
    return known == null || Catalog.isOfSystem(known.name()) ? null : known;
  }

  private static CanopyException unknown(int number) {
    return new CanopyException(
        ErrorCode.UNKNOWN_INDEX,
        "no index has number " + number,
        ErrorCode.UNKNOWN_INDEX.commitState(),
        null,
        null,
        Map.of("number", Integer.toString(number)));
  }

  /** An index of the catalog, the same object each time. */
  public IndexRef stored(String name, CatalogEntry entry) {
    Codec<?> keys = ScalarCodecs.of(entry.keyCodec()).orElse(Codec.bytes());
    return byNumber.computeIfAbsent(entry.number(), any -> ref(name, entry, keys));
  }

  /**
   * An index of the catalog with counters of its own.
   *
   * @param keys shows its keys to people
   */
  public IndexRef ref(String name, CatalogEntry entry, Codec<?> keys) {
    int cuts = catalog.cuts();
    return new IndexRef(
        name,
        entry,
        key -> KeyText.of(keys, key),
        () -> splits.applyAsLong(entry.number()),
        () -> !catalog.isGone(name, entry.number(), cuts));
  }

  /** Forgets the indexes that were dropped and that no snapshot in use can have. */
  public void forgetDropped() {
    byNumber
        .values()
        .removeIf(index -> !index.isCurrent() && !catalog.isDropped(index.name(), index.number()));
  }

  /** The indexes that callers have asked for. */
  public List<OpenIndex> known() {
    return List.copyOf(byNumber.values());
  }
}
