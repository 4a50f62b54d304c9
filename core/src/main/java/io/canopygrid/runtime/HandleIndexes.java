package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.IndexNames;
import io.canopygrid.names.TableNames;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.IndexOpener;
import io.canopygrid.typed.IndexStore;
import io.canopygrid.typed.TypedIndex;
import java.util.Locale;

/**
 * Opens indexes of a handle: for its caller, as an {@link IndexOpener} for its functions, and as an
 * {@link IndexStore} for its tables. Thread-safe.
 */
final class HandleIndexes implements IndexOpener {
  private final Engine engine;
  private final Handle owner;
  private final KnownIndexes known;
  private final Runnable checkOpen;
  private final IndexStore ofTables = new TableIndexes();

  /**
   * @param checkOpen throws where the handle is closed
   */
  HandleIndexes(Engine engine, Handle owner, KnownIndexes known, Runnable checkOpen) {
    this.engine = engine;
    this.owner = owner;
    this.known = known;
    this.checkOpen = checkOpen;
  }

  /** The indexes of which tables are made. */
  IndexStore ofTables() {
    return ofTables;
  }

  @Override
  public <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values) {
    return open(IndexNames.checked(name), keys, values, IndexOptions.DEFAULTS);
  }

  /** An index by a name that is allowed; where there is none it is created. */
  <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values, IndexOptions options) {
    return TableNames.tableOf(name) == null
        ? created(name, keys, values, options)
        : openPart(name, keys, values);
  }

  /** An index that a table is made of comes and goes with its table only. */
  private <K, V> TypedIndex<K, V> openPart(String name, Codec<K> keys, Codec<V> values) {
    try {
      TypedIndex<K, V> found = find(name, keys, values);
      if (found.opened().isCurrent()) {
        return found;
      }
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
    }
    throw TablePart.refused(name);
  }

  private <K, V> TypedIndex<K, V> created(
      String name, Codec<K> keys, Codec<V> values, IndexOptions options) {
    checkOpen.run();
    EntryCodec<K, V> entries = new EntryCodec<>(name, keys, values);
    return typed(known.open(entries, options), entries);
  }

  /** An index that exists, or is in a snapshot that is in use. */
  <K, V> TypedIndex<K, V> find(String name, Codec<K> keys, Codec<V> values) {
    checkOpen.run();
    EntryCodec<K, V> entries = new EntryCodec<>(name, keys, values);
    return typed(known.find(entries), entries);
  }

  private <K, V> TypedIndex<K, V> typed(OpenIndex index, EntryCodec<K, V> entries) {
    Codec<K> keys = entries.keys();
    Codec<V> values = entries.values();
    if (!index.keyCodec().equals(keys.id()) || !index.valueCodec().equals(values.id())) {
      throw new CanopyException(
          ErrorCode.CODEC_MISMATCH,
          String.format(
              Locale.ROOT,
              "index '%s' has keys %s and values %s, not %s and %s",
              entries.index(),
              index.keyCodec(),
              index.valueCodec(),
              keys.id(),
              values.id()));
    }
    return new TypedIndex<>(owner, index, entries);
  }

  private final class TableIndexes implements IndexStore {
    @Override
    public <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values) {
      return created(name, keys, values, IndexOptions.DEFAULTS);
    }

    @Override
    public <K, V> TypedIndex<K, V> find(String name, Codec<K> keys, Codec<V> values) {
      return HandleIndexes.this.find(name, keys, values);
    }

    @Override
    public void checkDrops() {
      engine.checkDrops();
    }

    @Override
    public boolean drop(OpenIndex index) {
      return known.drop(index);
    }
  }
}
