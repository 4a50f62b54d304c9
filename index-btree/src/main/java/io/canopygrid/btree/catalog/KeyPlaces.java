package io.canopygrid.btree.catalog;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of keys, as far as this node's copy of the crown knows. Sends no requests.
 * Thread-safe.
 */
public final class KeyPlaces {
  private final GmuNode node;

  /** The places that a node knows. */
  public KeyPlaces(GmuNode node) {
    this.node = node;
  }

  /** The node that is the primary of a key; null: none is known. */
  public @Nullable NodeId primaryOf(IndexRef index, byte[] key) {
    int shard = shardOf(index, key);
    List<NodeId> owners = shard < 0 ? List.of() : node.topology().shard(shard).owners();
    return owners.isEmpty() ? null : owners.get(0);
  }

  /** The shard of a key; -1: it is not known here yet. */
  public int shardOf(IndexRef index, byte[] key) {
    long kcl = Crown.subtreeOf(node.top(), index.number(), key);
    return kcl == SubtreeHeader.NONE ? -1 : node.shardMap().shardOf(kcl);
  }
}
