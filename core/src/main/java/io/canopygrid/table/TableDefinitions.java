package io.canopygrid.table;

import io.canopygrid.Codec;
import io.canopygrid.IndexState;
import org.jspecify.annotations.Nullable;

/** The list of a table's indexes as the grid keeps it, for the catalog of indexes. */
public final class TableDefinitions {
  private TableDefinitions() {}

  /** The key of the list in the index of a table's definitions. */
  public static byte[] key() {
    return Codec.string().encode(TableState.KEY);
  }

  /**
   * The number of the newest index that a table has had; 0: there was none. A transaction that has
   * read the list knows all indexes up to this one.
   *
   * @param value the list; null: there is none
   */
  public static int newest(byte @Nullable [] value) {
    return value == null ? 0 : TableState.decode(Codec.bytes().decode(value)).numbers();
  }

  /**
   * Whether a list has an index that is being built.
   *
   * @param value the list
   * @param number the index's
   * @param rowKeys the id of the codec of the rows' keys
   * @param entryKeys the id of the codec of the keys of the index's entries
   */
  public static boolean isBuilding(byte[] value, int number, String rowKeys, String entryKeys) {
    return TableState.decode(Codec.bytes().decode(value)).indexes().stream()
        .anyMatch(index ->
            index.number() == number
                && index.state() == IndexState.BUILDING
                && index.entryCodec(rowKeys).equals(entryKeys));
  }

  /**
   * A list in which all indexes are being built. So a restore can create the indexes of entries,
   * and nobody reads by one of them before its entries are there.
   *
   * @param value the list that is restored
   */
  public static byte[] building(byte[] value) {
    TableState state = TableState.decode(Codec.bytes().decode(value));
    for (TableState.Kept index : state.indexes()) {
      state = state.with(index, IndexState.BUILDING);
    }
    return Codec.bytes().encode(state.encode());
  }

  /**
   * The rows that the entries of an index of this number are of.
   *
   * @param value the list
   * @param rowKeys the id of the codec of the rows' keys
   * @return null: the index is not complete, or the codecs do not say enough
   */
  public static @Nullable EntryOwners owners(byte[] value, int number, String rowKeys) {
    TableState.Kept index = TableState.decode(Codec.bytes().decode(value)).find(number);
    return index == null || index.state() != IndexState.READY
        ? null
        : EntryParts.of(index, rowKeys).map(EntryOwners::new).orElse(null);
  }
}
