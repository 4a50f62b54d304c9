package io.canopygrid.names;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of the indexes of which a table is made. */
public final class TableNames {
  private static final Pattern PART = Pattern.compile("(.+)\\.(rows|definitions|index\\.[0-9]+)");
  private static final Pattern ENTRIES = Pattern.compile(".+\\.index\\.([0-9]{1,9})");

  private TableNames() {}

  /** The index of a table's rows. */
  public static String rows(String table) {
    return table + ".rows";
  }

  /** The index of what the grid keeps of a table. */
  public static String definitions(String table) {
    return table + ".definitions";
  }

  /** The entries of a table's secondary index of this number. */
  public static String entries(String table, int number) {
    return table + ".index." + number;
  }

  /** The number of a table's secondary index that has its entries here; 0: these are none. */
  public static int numberOf(String index) {
    Matcher part = ENTRIES.matcher(index);
    return part.matches() ? Integer.parseInt(part.group(1)) : 0;
  }

  /**
   * The index of what the grid keeps of the table that an index has the secondary entries of; null:
   * an index with this name has no secondary entries.
   */
  public static @Nullable String definitionsBeside(String index) {
    String table = tableOf(index);
    return table == null || index.equals(rows(table)) || index.equals(definitions(table))
        ? null
        : definitions(table);
  }

  /** The table of which an index with this name is a part; null: of none. */
  public static @Nullable String tableOf(String index) {
    Matcher part = PART.matcher(index);
    return part.matches() ? part.group(1) : null;
  }
}
