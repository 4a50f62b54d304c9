package io.canopygrid;

/**
 * How an index is laid out, fixed when it is created. Immutable.
 *
 * @param arity most keys in one node of an owner's local tree, {@value #ARITY_MIN} to {@value
 *     #ARITY_MAX}
 * @param subtreeEntriesMax entries above which a subtree is split in two, {@value
 *     #SUBTREE_ENTRIES_LEAST} to {@value #SUBTREE_ENTRIES_MOST}
 */
public record IndexOptions(int arity, int subtreeEntriesMax) {
  /** Least arity. */
  public static final int ARITY_MIN = 4;

  /** Greatest arity. */
  public static final int ARITY_MAX = 1024;

  /** Least number of entries a subtree can be limited to. */
  public static final int SUBTREE_ENTRIES_LEAST = 4;

  /** Greatest number of entries a subtree can be limited to. */
  public static final int SUBTREE_ENTRIES_MOST = 65_536;

  /** Arity 64, subtrees of at most 1024 entries. */
  public static final IndexOptions DEFAULTS = new IndexOptions(64, 1024);

  /**
   * Checks the ranges.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} outside of them
   */
  public IndexOptions {
    Arguments.inRange("arity", arity, ARITY_MIN, ARITY_MAX);
    Arguments.inRange(
        "subtreeEntriesMax", subtreeEntriesMax, SUBTREE_ENTRIES_LEAST, SUBTREE_ENTRIES_MOST);
  }

  /** These options with another arity. */
  public IndexOptions withArity(int keysPerNode) {
    return new IndexOptions(keysPerNode, subtreeEntriesMax);
  }

  /** These options with another limit of entries per subtree. */
  public IndexOptions withSubtreeEntriesMax(int entries) {
    return new IndexOptions(arity, entries);
  }
}
