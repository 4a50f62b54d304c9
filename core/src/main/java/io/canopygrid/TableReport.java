package io.canopygrid;

import java.util.List;
import java.util.Map;

/**
 * The result of {@link Table#check}: where the indexes of a table differ from its rows. Immutable.
 *
 * @param rows how many rows were read
 * @param indexes the indexes that the table had when the check began, by name
 * @param differences the first ones that were found, at most as many as were asked for
 */
public record TableReport(long rows, List<IndexCheck> indexes, List<Difference> differences) {
  /** Copies the lists. */
  public TableReport {
    indexes = List.copyOf(indexes);
    differences = List.copyOf(differences);
  }

  /** The part of an index that was compared with the rows. */
  public enum Depth {
    /**
     * Nothing: the index is not {@link IndexState#READY}, or was changed meanwhile; or the handle
     * was not told of it, and it has a codec of an application's own.
     */
    NONE,
    /**
     * Whether each entry can be read and has a row. The handle does not know the index's
     * definition, so it cannot tell which entries a row must have.
     */
    ENTRIES,
    /** Whether each row has its entries, and each entry is one of its row's. */
    FULL
  }

  /** A way in which an index differs from the rows. */
  public enum Kind {
    /** A row has an attribute, and the index has no entry of it for this row. */
    MISSING,
    /** An entry has no row. */
    ORPHAN,
    /** An entry's row has not the attribute any more. */
    STALE,
    /** An entry covers something else than its row has. */
    COVERED,
    /**
     * A row has an attribute of a unique index that another row has too. A row whose attribute has
     * no entry is such a one only if the other row is one of the first 1,000 without theirs.
     */
    DUPLICATE,
    /** A row or an entry cannot be decoded, or the index's definition fails for the row. */
    UNREADABLE
  }

  /**
   * The comparison of one index.
   *
   * @param index its name
   * @param state its state when it was last looked at
   * @param depth how much was compared
   * @param entries how many entries were read
   * @param counts how many differences were found, for each kind that was
   */
  public record IndexCheck(
      String index, IndexState state, Depth depth, long entries, Map<Kind, Long> counts) {
    /** Copies the map. */
    public IndexCheck {
      counts = Map.copyOf(counts);
    }

    /** The number of differences of a kind that were found. */
    public long count(Kind kind) {
      return counts.getOrDefault(kind, 0L);
    }
  }

  /**
   * A difference, in text for people. Keys and attributes are written as their types print them, or
   * in hexadecimal where the handle does not know the type; they are cut where they are long.
   *
   * @param index the index's name
   * @param kind the way in which it differs
   * @param attribute the attribute; empty where a row cannot be read
   * @param key the row's key; empty where an entry cannot be read
   * @param detail the key of the other row of a {@link Kind#DUPLICATE}, or why something is {@link
   *     Kind#UNREADABLE}; otherwise empty
   */
  public record Difference(String index, Kind kind, String attribute, String key, String detail) {}

  /** The number of differences of all kinds that were found in all indexes. */
  public long count() {
    return indexes.stream()
        .flatMap(index -> index.counts().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Whether every index was compared in full. */
  public boolean isFull() {
    return indexes.stream().allMatch(index -> index.depth() == Depth.FULL);
  }
}
