package io.canopygrid.table;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;
import io.canopygrid.TableReport;
import io.canopygrid.TableView;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.IndexStore;
import io.canopygrid.typed.OpenTransaction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A table of one handle. Thread-safe.
 *
 * @param <K> primary keys
 * @param <R> rows
 */
public final class TypedTable<K, R> implements Table<K, R> {
  private final Handle owner;
  private final TableSchema<K, R> schema;
  private final TableBuilds<K, R> builds;
  private final TableChecks<K, R> checks;

  private TypedTable(
      Handle owner, TableSchema<K, R> schema, TableBuilds<K, R> builds, TableChecks<K, R> checks) {
    this.owner = owner;
    this.schema = schema;
    this.builds = builds;
    this.checks = checks;
  }

  /**
   * Opens a table, which is created where there is none.
   *
   * @param canopy runs the transactions that build and drop indexes
   * @param owner the handle's own, by which a foreign table is told
   * @param store has the indexes of which the table is made
   * @param batches the sizes of those transactions, and of those that check
   * @param definitions the indexes that the handle knows
   */
  public static <K, R> TypedTable<K, R> open(
      Canopy canopy,
      Handle owner,
      IndexStore store,
      TableBatches batches,
      String name,
      Codec<K> keys,
      Codec<R> rows,
      List<IndexDefinition<R, ?>> definitions) {
    TableSchema<K, R> schema = new TableSchema<>(store, name, keys, rows);
    TableBuilds<K, R> builds = new TableBuilds<>(canopy, schema, batches);
    definitions.forEach(schema::declare);
    schema.check(builds.state());
    return new TypedTable<>(owner, schema, builds, new TableChecks<>(canopy, schema, batches));
  }

  /**
   * A table in a transaction that only reads.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX} where they are of two handles
   */
  public static <K, R> TableReadView<K, R> readView(
      OpenTransaction transaction, @Nullable Table<K, R> table) {
    return new TypedTableReadView<>(transaction, checked(transaction, table));
  }

  /**
   * A table in a transaction that may write.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX} where they are of two handles
   */
  public static <K, R> TableView<K, R> view(
      OpenTransaction transaction, @Nullable Table<K, R> table) {
    return new TypedTableView<>(transaction, checked(transaction, table));
  }

  private static <K, R> TableSchema<K, R> checked(
      OpenTransaction transaction, @Nullable Table<K, R> table) {
    transaction.checkOpen();
    transaction.notNull("the table", table);
    if (table instanceof TypedTable<K, R> own && own.owner == transaction.owner()) {
      return own.schema;
    }
    throw transaction.error(ErrorCode.FOREIGN_INDEX, table + " is of another handle");
  }

  @Override
  public String name() {
    return schema.name();
  }

  @Override
  public Codec<K> keyCodec() {
    return schema.rows().keyCodec();
  }

  @Override
  public Codec<R> rowCodec() {
    return schema.rows().valueCodec();
  }

  @Override
  public void createIndex(@Nullable IndexDefinition<R, ?> definition) {
    if (definition == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the definition is null");
    }
    builds.create(definition);
  }

  @Override
  public boolean dropIndex(String index) {
    return builds.drop(index);
  }

  @Override
  public void rebuildIndex(String index) {
    builds.rebuild(index);
  }

  @Override
  public TableReport check(int differencesMost) {
    return checks.run(differencesMost);
  }

  @Override
  public IndexState index(String index) {
    IndexState state = indexes().get(index);
    if (state == null) {
      throw schema.unknown(index);
    }
    return state;
  }

  @Override
  public Map<String, IndexState> indexes() {
    Map<String, IndexState> states = new TreeMap<>();
    builds.state().current().forEach(index -> states.put(index.name(), index.state()));
    return states;
  }

  /** For people. */
  @Override
  public String toString() {
    return "table '" + name() + "' " + keyCodec().id() + " -> " + rowCodec().id();
  }
}
