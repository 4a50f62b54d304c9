package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.names.TableNames;
import org.jspecify.annotations.Nullable;

/**
 * An index of a table's own in a transaction, for a caller that has opened it by its name: it can
 * be read, and not be written past the table.
 */
public final class TablePart implements EngineView {
  private final EngineView view;
  private final String index;
  private final String table;
  private final String transaction;

  private TablePart(EngineView view, String index, String table, String transaction) {
    this.view = view;
    this.index = index;
    this.table = table;
    this.transaction = transaction;
  }

  /** An index in a transaction, whose writes are refused where it is part of a table. */
  public static EngineView guarded(EngineTransaction transaction, OpenIndex index) {
    EngineView view = transaction.on(index);
    String table = TableNames.tableOf(index.name());
    return table == null ? view : new TablePart(view, index.name(), table, transaction.id());
  }

  /**
   * Checks the name of an index that is to be written to, or dropped, by its name.
   *
   * @throws CanopyException {@link ErrorCode#PART_OF_TABLE}
   */
  public static void check(String index) {
    if (TableNames.tableOf(index) != null) {
      throw refused(index);
    }
  }

  /** The error for an index with the name of a table's part. */
  public static CanopyException refused(String index) {
    return new CanopyException(
        ErrorCode.PART_OF_TABLE, text(index, String.valueOf(TableNames.tableOf(index))));
  }

  private static String text(String index, String table) {
    return "index '" + index + "' is part of table '" + table + "'";
  }

  private CanopyException refused() {
    return new CanopyException(
        ErrorCode.PART_OF_TABLE,
        text(index, table),
        ErrorCode.PART_OF_TABLE.commitState(),
        transaction,
        null);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return view.get(key);
  }

  @Override
  public EngineScan scan(KeyRange range, boolean reverse, long limit) {
    return view.scan(range, reverse, limit);
  }

  @Override
  public long count(KeyRange range) {
    return view.count(range);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    throw refused();
  }

  @Override
  public void remove(byte[] key) {
    throw refused();
  }

  @Override
  public int load(SortedPart part) {
    throw refused();
  }

  @Override
  public long removeRange(KeyRange range) {
    throw refused();
  }
}
