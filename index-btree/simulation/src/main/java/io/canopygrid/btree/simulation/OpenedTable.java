package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Table;
import io.canopygrid.Tuple;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.names.TableNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table of a run at its nodes, and the indexes of which it is made. */
final class OpenedTable {
  private static final String NAME = "t";

  private final TableRows rows;
  private final Map<EmbeddedCanopy, Table<Long, String>> tables = new HashMap<>();

  OpenedTable(TableRows rows) {
    this.rows = rows;
  }

  TableRows rows() {
    return rows;
  }

  /** The table at a node, whose handle knows all its indexes. */
  Table<Long, String> at(EmbeddedCanopy db) {
    Table<Long, String> known = tables.get(db);
    if (known == null) {
      IndexOptions small = new IndexOptions(HandleWork.ENTRIES_MAX);
      db.served().open(TableNames.rows(NAME), Codec.int64().id(), Codec.string().id(), small);
      known = db.table(NAME, Codec.int64(), Codec.string(), List.copyOf(rows.indexes()));
      tables.put(db, known);
    }
    return known;
  }

  /** Whether its rows are there without its definitions: nobody has ended its creation. */
  static boolean isPart(EmbeddedCanopy db) {
    List<String> parts = db.indexes();
    return parts.contains(TableNames.rows(NAME)) && !parts.contains(TableNames.definitions(NAME));
  }

  /** The bytes that the grid keeps of the table, once it was opened at any node. */
  static Index<String, byte[]> kept(EmbeddedCanopy db) {
    return db.index(TableNames.definitions(NAME), Codec.string(), Codec.bytes());
  }

  /** Whether the entries of an index have ever been opened: nobody has written any before. */
  static boolean hasEntries(EmbeddedCanopy db, int number) {
    return db.indexes().contains(TableNames.entries(NAME, number));
  }

  /** The entries of a unique index. */
  static Index<String, byte[]> unique(EmbeddedCanopy db, int number) {
    return db.index(TableNames.entries(NAME, number), Codec.string(), Codec.bytes());
  }

  /** The entries of an index that is not unique. */
  static Index<Tuple, byte[]> many(EmbeddedCanopy db, int number) {
    return db.index(
        TableNames.entries(NAME, number),
        Codec.tuple(Codec.string(), Codec.int64()),
        Codec.bytes());
  }

  /** The number of entries that are stored for an index, whatever it was. */
  static long entries(EmbeddedCanopy db, int number) {
    if (!hasEntries(db, number)) {
      return 0;
    }
    try {
      Index<String, byte[]> index = unique(db, number);
      return db.read(tx -> tx.on(index).count());
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.CODEC_MISMATCH) {
        throw e;
      }
      Index<Tuple, byte[]> index = many(db, number);
      return db.read(tx -> tx.on(index).count());
    }
  }
}
