package io.canopygrid;

/**
 * The layout of an index, fixed when it is created. Immutable.
 *
 * @param subtreeEntriesMax entries above which a subtree is split in two, {@value
 *     #SUBTREE_ENTRIES_LEAST} to {@value #SUBTREE_ENTRIES_MOST}
 */
public record IndexOptions(int subtreeEntriesMax) {
  /** Least number of entries a subtree can be limited to. */
  public static final int SUBTREE_ENTRIES_LEAST = 4;

  /** Greatest number of entries a subtree can be limited to. */
  public static final int SUBTREE_ENTRIES_MOST = 65_536;

  /** Subtrees of at most 1024 entries. */
  public static final IndexOptions DEFAULTS = new IndexOptions(1024);

  /**
   * Checks the ranges.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} outside of them
   */
  public IndexOptions {
    Arguments.inRange(
        "subtreeEntriesMax", subtreeEntriesMax, SUBTREE_ENTRIES_LEAST, SUBTREE_ENTRIES_MOST);
  }

  /** These options with another limit of entries per subtree. */
  public IndexOptions withSubtreeEntriesMax(int entries) {
    return new IndexOptions(entries);
  }
}
