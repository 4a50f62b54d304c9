package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.backup.format.BackedIndex;
import io.canopygrid.server.backup.format.Manifest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The indexes of a backup that are to be restored, and the names that they get. */
final class RestoreSelection {
  private RestoreSelection() {}

  /**
   * The names of the indexes, each with the one that it gets.
   *
   * @param wanted names of indexes and tables; none: all
   * @param as the name that the only wanted one gets; empty: its own
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#PART_OF_TABLE}
   */
  static Map<String, String> of(Manifest manifest, List<String> wanted, String as) {
    Map<String, String> names = new TreeMap<>();
    if (wanted.isEmpty()) {
      manifest.indexes().forEach(index -> names.put(index.name(), index.name()));
    }
    for (String name : wanted) {
      TablePart.check(name);
      names.putAll(one(manifest, name, as.isEmpty() ? name : as));
    }
    return names;
  }

  private static Map<String, String> one(Manifest manifest, String name, String as) {
    Map<String, String> parts = new TreeMap<>();
    for (BackedIndex index : manifest.indexes()) {
      if (index.name().equals(name)) {
        return Map.of(name, as);
      }
      if (name.equals(TableNames.tableOf(index.name()))) {
        parts.put(index.name(), as + index.name().substring(name.length()));
      }
    }
    if (parts.isEmpty()) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_INDEX,
          "backup " + manifest.name() + " has no index or table '" + name + "'");
    }
    return parts;
  }

  /** The index or the table that has an index of this name. */
  static String whole(String index) {
    String table = TableNames.tableOf(index);
    return table == null ? index : table;
  }
}
