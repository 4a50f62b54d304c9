package io.canopygrid.table;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexState;
import io.canopygrid.TableView;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.KeyText;
import io.canopygrid.typed.OpenTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table in an update transaction: rows and entries change together. */
final class TypedTableView<K, R> extends TypedTableReadView<K, R> implements TableView<K, R> {
  TypedTableView(OpenTransaction transaction, TableSchema<K, R> schema) {
    super(transaction, schema);
  }

  @Override
  public void put(K key, R row) {
    transaction.checkOpen();
    byte[] bytes = schema.rows().entries().encodeKey(key);
    byte[] next = schema.rows().entries().encodeValue(row);
    change(bytes, get(key), next);
  }

  @Override
  public void insert(K key, R row) {
    transaction.checkOpen();
    byte[] bytes = schema.rows().entries().encodeKey(key);
    byte[] next = schema.rows().entries().encodeValue(row);
    if (get(key) != null) {
      throw transaction.error(ErrorCode.KEY_EXISTS, "table '" + schema.name() + "' has key " + key);
    }
    change(bytes, null, next);
  }

  @Override
  public boolean remove(K key) {
    transaction.checkOpen();
    byte[] bytes = schema.rows().entries().encodeKey(key);
    R old = get(key);
    if (old == null) {
      return false;
    }
    change(bytes, old, null);
    return true;
  }

  /** A write of one entry, of the rows or of an index. */
  private record Change(EngineView view, byte[] key, byte @Nullable [] value) {
    void stage() {
      if (value == null) {
        view.remove(key);
      } else {
        view.put(key, value);
      }
    }
  }

  /**
   * Changes a row and its entries. Everything is checked before anything is staged, so that an
   * error leaves the transaction as it was. Entries follow from what is stored, which need not
   * equal what the caller gave: a codec may keep less.
   *
   * @param row null: the row is taken away
   */
  private void change(byte[] key, @Nullable R old, byte @Nullable [] row) {
    K primary = schema.rows().entries().decodeKey(key);
    R stored = row == null ? null : schema.rows().entries().decodeValue(row);
    List<Change> changes = new ArrayList<>();
    for (TableState.Kept index : schema.stateForRows(transaction).indexes()) {
      if (index.state() != IndexState.DROPPING) {
        TableEntries<?, K, R> entries = entriesOf(index);
        Map<byte[], byte[]> before = entries.of(key, primary, old);
        Map<byte[], byte[]> after = entries.of(key, primary, stored);
        boolean building = index.state() == IndexState.BUILDING;
        changes.addAll(changesOf(entries, key, before, after, building));
      }
    }
    changes.add(new Change(transaction.engine().on(schema.rows().opened()), key, row));
    stage(changes);
  }

  /** The entries of an index. If they are gone, the table's definitions have changed meanwhile. */
  private TableEntries<?, K, R> entriesOf(TableState.Kept index) {
    try {
      return schema.entriesOf(index);
    } catch (CanopyException e) {
      throw e.code() == ErrorCode.UNKNOWN_INDEX ? transaction.conflict(e) : e;
    }
  }

  private void stage(List<Change> changes) {
    transaction.whole(() -> {
      changes.forEach(Change::stage);
      return changes;
    });
  }

  /**
   * The changes of the entries that differ between two rows. An equal entry stays as it is; in an
   * index that is being built it may not be there yet, or be another row's. An attribute that the
   * row has had before is not refused there, even where another row has it too: the build will come
   * to both rows, and until then the row can be changed.
   */
  private List<Change> changesOf(
      TableEntries<?, K, R> entries,
      byte[] key,
      Map<byte[], byte[]> before,
      Map<byte[], byte[]> after,
      boolean building) {
    List<Change> changes = new ArrayList<>();
    EngineView view = transaction.engine().on(entries.storage());
    before.forEach((entry, value) -> {
      if (!after.containsKey(entry) && isOwn(entries, view, entry, key)) {
        changes.add(new Change(view, entry, null));
      }
    });
    after.forEach((entry, value) -> {
      byte[] same = before.get(entry);
      if (same == null) {
        checkFree(entries, view, entry, key);
      }
      boolean differs = !Arrays.equals(same, value);
      if (differs && !(building && otherOwner(entries, view, entry, key) != null)) {
        changes.add(new Change(view, entry, value));
      }
    });
    return changes;
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
    byte[] value = otherOwner(entries, view, entry, key);
    if (value != null) {
      throw violation(entries, entry, value);
    }
  }

  /** The value of an entry of a unique index that is another row's; null: it is not. */
  private static byte @Nullable [] otherOwner(
      TableEntries<?, ?, ?> entries, EngineView view, byte[] entry, byte[] key) {
    if (!entries.isUnique()) {
      return null;
    }
    byte[] value = view.get(entry);
    return value == null || Arrays.equals(TableEntries.ownerOf(value), key) ? null : value;
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
    List<Change> changes = new ArrayList<>();
    entries
        .of(key, primary, decoded)
        .forEach((entry, value) -> {
          checkFree(entries, view, entry, key);
          changes.add(new Change(view, entry, value));
        });
    stage(changes);
  }

  private CanopyException violation(TableEntries<?, K, R> entries, byte[] entry, byte[] other) {
    String index = entries.definition().name();
    String attribute = KeyText.of(entries.definition().attribute(), entry);
    String owner = entries.ownerText(other);
    return new CanopyException(
        ErrorCode.UNIQUE_VIOLATION,
        String.format(
            Locale.ROOT,
            "unique index '%s' of table '%s' has attribute %s for another row, that of key %s",
            index,
            schema.name(),
            attribute,
            owner),
        CommitState.NOT_COMMITTED,
        transaction.id(),
        null,
        Map.of("index", index, "attribute", attribute, "key", owner));
  }
}
