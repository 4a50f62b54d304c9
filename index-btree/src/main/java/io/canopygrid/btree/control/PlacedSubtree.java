package io.canopygrid.btree.control;

import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A subtree, where it is, and what it is used for. The arrays are not to be changed.
 *
 * @param index the index's number
 * @param low lowest key
 * @param high exclusive; null: the end of the index
 * @param shard where its entries are
 * @param node the shard's primary, null: it has none
 * @param load what it has and is used for
 */
public record PlacedSubtree(
    int index,
    byte[] low,
    byte @Nullable [] high,
    int shard,
    @Nullable NodeId node,
    SubtreeLoad load) {
  /** Which subtree it is. */
  public long kcl() {
    return load.kcl();
  }

  /** How many entries it has. */
  public long entries() {
    return load.entries();
  }
}
