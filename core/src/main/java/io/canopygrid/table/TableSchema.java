package io.canopygrid.table;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.names.IndexNames;
import io.canopygrid.names.TableNames;
import io.canopygrid.typed.IndexOpener;
import io.canopygrid.typed.IndexStore;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedIndex;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a table that one handle knows: the rows, the definitions and each secondary index
 * are indexes of the grid. Thread-safe.
 *
 * @param <K> primary keys
 * @param <R> rows
 */
final class TableSchema<K, R> {
  /** Longest name, which leaves room for what is appended to it. */
  private static final int NAME_MAX = 100;

  private final String name;
  private final IndexStore store;
  private final TypedIndex<K, R> rows;
  private final TypedIndex<String, byte[]> kept;
  private final Map<String, IndexDefinition<R, ?>> declared = new ConcurrentHashMap<>();
  private final Map<Integer, TableEntries<?, K, R>> entries = new ConcurrentHashMap<>();

  TableSchema(IndexStore store, String name, Codec<K> keys, Codec<R> rowCodec) {
    if (IndexNames.checked(name).length() > NAME_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_INDEX_NAME,
          "the name of a table has at most " + NAME_MAX + " characters: '" + name + "'");
    }
    this.name = name;
    this.store = store;
    this.rows = store.open(TableNames.rows(name), keys, rowCodec);
    this.kept = store.open(TableNames.definitions(name), Codec.string(), Codec.bytes());
  }

  String name() {
    return name;
  }

  TypedIndex<K, R> rows() {
    return rows;
  }

  /** The bytes that the grid keeps of the table in a transaction, by {@link #keptKey}. */
  EngineView keptIn(OpenTransaction transaction) {
    return transaction.engine().on(kept.opened());
  }

  /** The key of something that the grid keeps of the table. */
  byte[] keptKey(String what) {
    return kept.entries().encodeKey(what);
  }

  /** The indexes that the table has in a transaction. */
  TableState stateIn(OpenTransaction transaction) {
    return TableState.decode(keptIn(transaction).get(keptKey(TableState.KEY)));
  }

  /**
   * The indexes that a writer of rows has to know, read once in a transaction. The read itself is
   * not validated, but the commit of the rows is, by {@link EngineTransaction#definitions}.
   */
  TableState stateForRows(OpenTransaction transaction) {
    return transaction.once(
        this,
        () -> TableState.decode(transaction.engine().definitions(kept.opened(), rows.opened())));
  }

  /** Changes the indexes that the table has. */
  void write(OpenTransaction transaction, TableState state) {
    keptIn(transaction).put(keptKey(TableState.KEY), state.encode());
  }

  /** The handle knows an index from now on. */
  void declare(IndexDefinition<R, ?> definition) {
    if (declared.putIfAbsent(definition.name(), definition) != null) {
      IndexDefinition<R, ?> before = declared.get(definition.name());
      if (before != null && !before.signature().equals(definition.signature())) {
        throw mismatch(definition.name(), "was declared differently before");
      }
    }
  }

  /**
   * The definition that the handle knows of an index.
   *
   * @throws CanopyException {@link ErrorCode#DEFINITION_MISMATCH}
   */
  IndexDefinition<R, ?> definitionOf(TableState.Kept index) {
    IndexDefinition<R, ?> definition = declared.get(index.name());
    if (definition == null) {
      throw mismatch(index.name(), "is not known to this handle");
    }
    checkSame(index, definition);
    return definition;
  }

  boolean isDeclared(String index) {
    return declared.containsKey(index);
  }

  void forget(String index) {
    declared.remove(index);
  }

  /** Checks the definitions that the handle knows against those of the grid. */
  void check(TableState state) {
    for (TableState.Kept index : state.indexes()) {
      IndexDefinition<R, ?> known = declared.get(index.name());
      if (index.state() != IndexState.DROPPING && known != null) {
        checkSame(index, known);
      }
    }
  }

  /**
   * The entries of an index.
   *
   * @throws CanopyException {@link ErrorCode#DEFINITION_MISMATCH} where the handle does not know it
   */
  TableEntries<?, K, R> entriesOf(TableState.Kept index) {
    IndexDefinition<R, ?> definition = definitionOf(index);
    TableEntries<?, K, R> open = entries.get(index.number());
    if (open == null || isOutdated(open, index, definition)) {
      open = open(index, definition);
      entries.put(index.number(), open);
    }
    return open;
  }

  /**
   * Whether a power cut has taken the index of which these are the entries, or these: then another
   * one may have its number, and entries that are there now are in another index of the grid.
   */
  private boolean isOutdated(
      TableEntries<?, K, R> open, TableState.Kept index, IndexDefinition<R, ?> definition) {
    boolean moved = index.state() != IndexState.DROPPING && !open.storage().isCurrent();
    return moved
        || !open.definition().signature().equals(definition.signature())
        || !open.definition().name().equals(index.name());
  }

  /** The index was dropped; its number is not given again, but where a power cut took it. */
  void dropped(TableState.Kept index) {
    entries.remove(index.number());
  }

  /** The entries of an index for a caller that has the definition at hand. */
  <A> TableEntries<A, K, R> entriesOf(TableState.Kept index, IndexDefinition<R, A> definition) {
    checkSame(index, definition);
    return open(index, definition);
  }

  /**
   * The storage of an index's entries, whose definition the handle need not know, also where it was
   * dropped: whether it is there still only a drop knows, as this node may not have heard of it
   * yet. Null: there was none. For an index that is being built it is created: where there never
   * was one, a writer could still create it after the index was dropped.
   */
  @Nullable OpenIndex storageOf(TableState.Kept index) {
    Codec<byte[]> keys = new NamedBytes(index.entryCodec(rows.keyCodec().id()));
    try {
      return opener(index)
          .open(TableNames.entries(name, index.number()), keys, Codec.bytes())
          .opened();
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.UNKNOWN_INDEX) {
        return null;
      }
      throw e;
    }
  }

  /** Checks whether the storage of entries can be dropped. */
  void checkDrops() {
    store.checkDrops();
  }

  /** Drops the storage of an index's entries. */
  void drop(OpenIndex storage) {
    store.drop(storage);
  }

  /**
   * Only an index that is being built is created, by whoever comes first. Any other one is there,
   * or was dropped since the transaction's snapshot; then its entries are found as long as the
   * snapshot is kept.
   */
  private <A> TableEntries<A, K, R> open(TableState.Kept index, IndexDefinition<R, A> definition) {
    return TableEntries.open(
        opener(index), TableNames.entries(name, index.number()), definition, rows.keyCodec());
  }

  private IndexOpener opener(TableState.Kept index) {
    return index.state() == IndexState.BUILDING ? store : store::find;
  }

  private void checkSame(TableState.Kept index, IndexDefinition<R, ?> definition) {
    if (!definition.signature().equals(index.signature())) {
      throw mismatch(index.name(), "is " + index.signature() + ", not " + definition.signature());
    }
  }

  CanopyException mismatch(String index, String what) {
    return new CanopyException(
        ErrorCode.DEFINITION_MISMATCH, "index '" + index + "' of table '" + name + "' " + what);
  }

  CanopyException unknown(@Nullable String index) {
    return new CanopyException(
        ErrorCode.UNKNOWN_INDEX, "table '" + name + "' has no index '" + index + "'");
  }
}
