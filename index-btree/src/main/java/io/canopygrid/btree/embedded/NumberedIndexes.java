package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.engine.OpenIndex;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Indexes by their number, which others know them by. Thread-safe. */
final class NumberedIndexes {
  /** Keys of these are shown in errors as people write them. */
  private static final Map<String, Codec<?>> PRINTABLE =
      Stream.<Codec<?>>of(
              Codec.int32(),
              Codec.int64(),
              Codec.bool(),
              Codec.string(),
              Codec.uuid(),
              Codec.instant(),
              Codec.decimal())
          .collect(Collectors.toUnmodifiableMap(Codec::id, Function.identity()));

  private final EmbeddedEngine engine;
  private final Catalog catalog;
  private final Map<Integer, IndexRef> byNumber = new ConcurrentHashMap<>();

  NumberedIndexes(EmbeddedEngine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
  }

  /**
   * The index of a number.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  IndexRef index(int number) {
    IndexRef known = byNumber.get(number);
    if (known != null) {
      return known;
    }
    for (Map.Entry<String, CatalogEntry> entry : catalog.entries().entrySet()) {
      if (entry.getValue().number() == number) {
        return stored(entry.getKey(), entry.getValue());
      }
    }
    throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "no index has number " + number);
  }

  /** The index of a user that has a number. */
  IndexRef ofUser(int number) {
    IndexRef index = index(number);
    if (Catalog.isOfSystem(index.name())) {
      throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "no index has number " + number);
    }
    return index;
  }

  /** An index of the catalog. */
  IndexRef stored(String name, CatalogEntry entry) {
    Codec<?> keys = PRINTABLE.getOrDefault(entry.keyCodec(), Codec.bytes());
    return byNumber.computeIfAbsent(entry.number(), any -> engine.ref(name, entry, keys));
  }

  /** Those that somebody has asked for. */
  List<OpenIndex> known() {
    return List.copyOf(byNumber.values());
  }
}
