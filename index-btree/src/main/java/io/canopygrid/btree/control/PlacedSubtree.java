package io.canopygrid.btree.control;

import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.gmu.NodeId;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A subtree, where it is, and what it is used for. The arrays and the map are not to be changed.
 *
 * @param index the index's number
 * @param low lowest key
 * @param high exclusive; null: the end of the index
 * @param shard where its entries are
 * @param node the shard's primary, null: it has none
 * @param load its size and its use
 * @param uses how much of that is by the callers in each node's JVM, as {@link
 *     SubtreeLoad#perSecond}; nodes without any are left out
 */
public record PlacedSubtree(
    int index,
    byte[] low,
    byte @Nullable [] high,
    int shard,
    @Nullable NodeId node,
    SubtreeLoad load,
    Map<NodeId, Double> uses) {
  /** The subtree's kcl. */
  public long kcl() {
    return load.kcl();
  }

  /** For people; keys in hexadecimal. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PlacedSubtree[index=%d, low=%s, high=%s, shard=%d, node=%s, load=%s, uses=%s]",
        index,
        Keys.text(low),
        high == null ? "end" : Keys.text(high),
        shard,
        node,
        load,
        uses);
  }

  /** The load, per second, that would weigh on a node if the subtree were there. */
  double weightAt(NodeId at, double ownUseWeight) {
    double whole = load.perSecond();
    double own = Math.min(whole, uses.getOrDefault(at, 0.0));
    return whole - (1 - ownUseWeight) * own;
  }

  /** The number of the subtree's entries. */
  public long entries() {
    return load.entries();
  }
}
