package io.canopygrid.btree.catalog;

import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.names.TableNames;
import io.canopygrid.table.TableDefinitions;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that entries of a table's secondary index are created only while the table is building
 * that index. A writer that is late, with an older snapshot, may want those of an index that was
 * dropped since, or of a former table of the name.
 *
 * @param table the name of the table
 * @param number the index's number in it
 * @param keyCodec the id of the codec of the entries' keys
 */
record BuildingEntries(String table, int number, String keyCodec) {
  /**
   * Whether the index is being built.
   *
   * @param rows the number of the index of the table's rows; 0: it is not being built
   * @param reads what the commit of a creation has to validate
   */
  record Checked(int rows, List<KeyRead> reads) {
    boolean isBuilding() {
      return rows > 0;
    }
  }

  /** The entries that an index with this name would have; null: it has none of a table. */
  static @Nullable BuildingEntries of(String name, String keyCodec) {
    String table = TableNames.tableOf(name);
    return table == null || TableNames.definitionsBeside(name) == null
        ? null
        : new BuildingEntries(table, TableNames.numberOf(name), keyCodec);
  }

  /** Null: the definitions were moved or dropped meanwhile, which the next attempt sees. */
  @Nullable Checked check(GmuTransaction transaction) throws TimeoutException {
    CompositeKey definitionsKey = CatalogEntry.key(TableNames.definitions(table));
    CompositeKey rowsKey = CatalogEntry.key(TableNames.rows(table));
    ReadAnswer.Got definitions = got(transaction.read(new ReadQuery.Get(definitionsKey)));
    ReadAnswer.Got rows = got(transaction.read(new ReadQuery.Get(rowsKey)));
    List<KeyRead> reads =
        List.of(new KeyRead(definitionsKey, definitions.seen()), new KeyRead(rowsKey, rows.seen()));
    byte[] definitionsEntry = definitions.value();
    byte[] rowsEntry = rows.value();
    if (definitionsEntry == null || rowsEntry == null) {
      return new Checked(0, reads);
    }
    byte[] key = TableDefinitions.key();
    int index = CatalogEntry.decode(definitionsEntry).number();
    CrownEntry subtree = Router.entryIn(transaction, index, KeyRange.successor(key));
    if (subtree == null) {
      return null;
    }
    CompositeKey place = EntryKeys.of(subtree.kcl(), key);
    ReadAnswer answer = transaction.read(new ReadQuery.Get(place));
    if (answer instanceof ReadAnswer.Redirected) {
      return null;
    }
    ReadAnswer.Got list = got(answer);
    byte[] value = list.value();
    CatalogEntry ofRows = CatalogEntry.decode(rowsEntry);
    boolean isBuilding =
        value != null && TableDefinitions.isBuilding(value, number, ofRows.keyCodec(), keyCodec);
    return new Checked(
        isBuilding ? ofRows.number() : 0,
        List.of(reads.get(0), reads.get(1), new KeyRead(place, list.seen())));
  }

  private static ReadAnswer.Got got(ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got got) {
      return got;
    }
    throw Failures.unanswered(answer, null);
  }
}
