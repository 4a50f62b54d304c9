package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Table;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A table of a cluster, whose definitions nobody here knows.
 *
 * @param rows the index of its rows
 */
record TableParts(String name, Reply.IndexOpened rows, Table<String, String> table) {
  /**
   * Opens a table that exists.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  static TableParts open(RemoteCanopy db, String name) {
    if (!namesOf(db).contains(name)) {
      throw unknown(name);
    }
    Reply.IndexOpened rows = db.describe(TableNames.rows(name));
    return new TableParts(
        name,
        rows,
        db.table(
            name, TextCodec.of(rows.keyCodec(), true), TextCodec.of(rows.valueCodec(), false)));
  }

  static CanopyException unknown(String name) {
    return new CanopyException(ErrorCode.UNKNOWN_INDEX, "there is no table '" + name + "'");
  }

  /** The names of all tables, sorted. */
  static List<String> namesOf(RemoteCanopy db) {
    Map<String, Boolean> names = new TreeMap<>();
    for (String index : db.indexes()) {
      String table = TableNames.tableOf(index);
      if (table != null && index.equals(TableNames.rows(table))) {
        names.put(table, true);
      }
    }
    return List.copyOf(names.keySet());
  }

  /** The table and the secondary index that are written TABLE.INDEX. */
  static Optional<Secondary> find(RemoteCanopy db, String text) {
    List<String> tables = namesOf(db);
    for (int dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
      String table = text.substring(0, dot);
      if (tables.contains(table)) {
        Table<String, String> open = open(db, table).table();
        String index = text.substring(dot + 1);
        if (open.indexes().containsKey(index)) {
          return Optional.of(new Secondary(open, index));
        }
      }
    }
    return Optional.empty();
  }

  /** A secondary index of a table. */
  record Secondary(Table<String, String> table, String index) {}
}
