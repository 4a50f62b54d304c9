package io.canopygrid;

import java.util.Objects;

/**
 * The balancing of a cluster: how finely indexes are cut, and how fast entries move. The node that
 * has the crown first decides; so these are best the same on all nodes. Immutable and thread-safe.
 *
 * @param enabled whether anything is changed without being asked for
 * @param subtreesPerNode how many subtrees an index has per node at least, where it has entries for
 *     them, 1 to {@value CutOff#SUBTREES_PER_NODE_MAX}; of cold ones above twice as many some are
 *     merged
 * @param minSubtreeEntries subtrees of so few entries are not split to have more of them, {@value
 *     #SUBTREE_ENTRIES_LEAST} to {@value IndexOptions#SUBTREE_ENTRIES_MOST}
 * @param movedEntriesPerSecond how many entries go from subtree to subtree, {@value
 *     #MOVED_ENTRIES_LEAST} to {@value #MOVED_ENTRIES_MOST}
 * @param placement which node gets a subtree
 * @param hotEntries whether entries that are read most have more copies
 */
public record Balancing(
    boolean enabled,
    int subtreesPerNode,
    int minSubtreeEntries,
    int movedEntriesPerSecond,
    Placement placement,
    HotEntryMode hotEntries) {
  /** Least {@link #minSubtreeEntries}. */
  public static final int SUBTREE_ENTRIES_LEAST = 2;

  /** Least {@link #movedEntriesPerSecond}. */
  public static final int MOVED_ENTRIES_LEAST = 100;

  /** Greatest {@link #movedEntriesPerSecond}. */
  public static final int MOVED_ENTRIES_MOST = 10_000_000;

  /** 8 subtrees per node, of more than 128 entries; 20,000 entries per second; evenly. */
  public static final Balancing DEFAULTS =
      new Balancing(true, 8, 128, 20_000, Placement.EVEN, HotEntryMode.OFF);

  /**
   * Checks the ranges.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} outside of them
   */
  public Balancing {
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(hotEntries, "hotEntries");
    check("subtreesPerNode", subtreesPerNode, 1, CutOff.SUBTREES_PER_NODE_MAX);
    check(
        "minSubtreeEntries",
        minSubtreeEntries,
        SUBTREE_ENTRIES_LEAST,
        IndexOptions.SUBTREE_ENTRIES_MOST);
    check("movedEntriesPerSecond", movedEntriesPerSecond, MOVED_ENTRIES_LEAST, MOVED_ENTRIES_MOST);
  }

  private static void check(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          what + " must be from " + min + " to " + max + ": " + what + "=" + value);
    }
  }

  /** This configuration with or without automatic changes. */
  public Balancing enabled(boolean value) {
    return new Balancing(
        value, subtreesPerNode, minSubtreeEntries, movedEntriesPerSecond, placement, hotEntries);
  }

  /** This configuration with another number of subtrees per node. */
  public Balancing subtreesPerNode(int value) {
    return new Balancing(
        enabled, value, minSubtreeEntries, movedEntriesPerSecond, placement, hotEntries);
  }

  /** This configuration with another least size of subtrees. */
  public Balancing minSubtreeEntries(int value) {
    return new Balancing(
        enabled, subtreesPerNode, value, movedEntriesPerSecond, placement, hotEntries);
  }

  /** This configuration with another pace. */
  public Balancing movedEntriesPerSecond(int value) {
    return new Balancing(enabled, subtreesPerNode, minSubtreeEntries, value, placement, hotEntries);
  }

  /** This configuration with another placement. */
  public Balancing placement(Placement value) {
    return new Balancing(
        enabled, subtreesPerNode, minSubtreeEntries, movedEntriesPerSecond, value, hotEntries);
  }

  /** This configuration with or without more copies of hot entries. */
  public Balancing hotEntries(HotEntryMode value) {
    return new Balancing(
        enabled, subtreesPerNode, minSubtreeEntries, movedEntriesPerSecond, placement, value);
  }
}
