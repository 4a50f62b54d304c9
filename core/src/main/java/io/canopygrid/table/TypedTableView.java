package io.canopygrid.table;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexState;
import io.canopygrid.TableView;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.KeyText;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedView;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table in an update transaction: rows and entries change together. */
final class TypedTableView<K, R> extends TypedTableReadView<K, R> implements TableView<K, R> {
  private final TypedView<K, R> writes;

  TypedTableView(OpenTransaction transaction, TableSchema<K, R> schema) {
    this(transaction, schema, new TypedView<>(transaction, schema.rows()));
  }

  private TypedTableView(
      OpenTransaction transaction, TableSchema<K, R> schema, TypedView<K, R> writes) {
    super(transaction, schema, writes);
    this.writes = writes;
  }

  @Override
  public void put(K key, R row) {
    transaction.checkOpen();
    byte[] bytes = schema.rows().entries().encodeKey(key);
    schema.rows().entries().encodeValue(row);
    maintain(bytes, key, get(key), row);
    writes.put(key, row);
  }

  @Override
  public void insert(K key, R row) {
    transaction.checkOpen();
    byte[] bytes = schema.rows().entries().encodeKey(key);
    schema.rows().entries().encodeValue(row);
    if (get(key) != null) {
      throw exists("table '" + schema.name() + "' has key " + key, null);
    }
    maintain(bytes, key, null, row);
    writes.put(key, row);
  }

  @Override
  public boolean remove(K key) {
    transaction.checkOpen();
    byte[] bytes = schema.rows().entries().encodeKey(key);
    R old = get(key);
    if (old == null) {
      return false;
    }
    maintain(bytes, key, old, null);
    writes.remove(key);
    return true;
  }

  private void maintain(byte[] key, K primary, @Nullable R old, @Nullable R row) {
    for (TableState.Kept index : state().indexes()) {
      if (index.state() != IndexState.DROPPING) {
        maintain(schema.entriesOf(index), key, primary, old, row);
      }
    }
  }

  /**
   * Changes the entries that differ between two rows. An equal entry stays as it is; in an index
   * that is being built it may not be there yet.
   */
  private <A> void maintain(
      TableEntries<A, K, R> entries, byte[] key, K primary, @Nullable R old, @Nullable R row) {
    Map<byte[], byte[]> before = entries.of(key, primary, old);
    Map<byte[], byte[]> after = entries.of(key, primary, row);
    EngineView view = transaction.engine().on(entries.storage());
    before.forEach((entry, value) -> {
      if (!after.containsKey(entry) && isOwn(entries, view, entry, key)) {
        view.remove(entry);
      }
    });
    after.forEach((entry, value) -> {
      byte[] same = before.get(entry);
      if (same == null) {
        checkFree(entries, view, entry, key);
      }
      if (!Arrays.equals(same, value)) {
        view.put(entry, value);
      }
    });
  }

  /** In a unique index that is being built the entry may be another row's. */
  private static boolean isOwn(
      TableEntries<?, ?, ?> entries, EngineView view, byte[] entry, byte[] key) {
    if (!entries.isUnique()) {
      return true;
    }
    byte[] value = view.get(entry);
    return value != null && Arrays.equals(TableEntries.ownerOf(value), key);
  }

  private void checkFree(TableEntries<?, K, R> entries, EngineView view, byte[] entry, byte[] key) {
    if (!entries.isUnique()) {
      return;
    }
    byte[] value = view.get(entry);
    if (value != null && !Arrays.equals(TableEntries.ownerOf(value), key)) {
      throw exists(
          "unique index '%s' of table '%s' has attribute %s for another row"
              .formatted(
                  entries.definition().name(),
                  schema.name(),
                  KeyText.of(entries.definition().attribute(), entry)),
          entries.definition().name());
    }
  }

  /**
   * Adds the entries of a row to an index that is being built.
   *
   * @throws CanopyException {@link ErrorCode#UNIQUE_VIOLATION}
   */
  void add(TableEntries<?, K, R> entries, byte[] key, byte[] row) {
    K primary = schema.rows().entries().decodeKey(key);
    R decoded = schema.rows().entries().decodeValue(row);
    EngineView view = transaction.engine().on(entries.storage());
    entries
        .of(key, primary, decoded)
        .forEach((entry, value) -> {
          checkFree(entries, view, entry, key);
          view.put(entry, value);
        });
  }

  private CanopyException exists(String detail, @Nullable String index) {
    return new CanopyException(
        ErrorCode.UNIQUE_VIOLATION,
        detail,
        CommitState.NOT_COMMITTED,
        transaction.id(),
        null,
        index == null ? Map.of() : Map.of("index", index));
  }
}
