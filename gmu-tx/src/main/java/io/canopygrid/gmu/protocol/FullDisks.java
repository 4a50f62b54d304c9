package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.protocol.membership.Placements;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members whose disks have no room, as far as this node has heard (protocol.md, Full disks).
 * Confined to the protocol lock.
 */
final class FullDisks {
  private final Map<NodeId, String> full = new HashMap<>();

  /**
   * @param disk which one has no room, in words; null: the node has room
   */
  void heard(NodeId node, @Nullable String disk) {
    if (disk == null) {
      full.remove(node);
    } else {
      full.put(node, disk);
    }
  }

  /** Which disk of a node has no room; null: it has room. */
  @Nullable String of(NodeId node) {
    return full.get(node);
  }

  /** Forgets all other nodes. */
  void retain(Collection<NodeId> members) {
    full.keySet().retainAll(members);
  }

  /** Why the parts of a transaction, by shard, cannot be stored by all; null: they can. */
  @Nullable Refusal refusal(Map<Integer, Footprint> parts, Placements placements) {
    if (full.isEmpty()) {
      return null;
    }
    for (Map.Entry<Integer, Footprint> part : parts.entrySet()) {
      for (NodeId replica : placements.replicas(part.getKey())) {
        Refusal refusal = refusal(part.getValue(), replica);
        if (refusal != null) {
          return refusal;
        }
      }
    }
    return null;
  }

  /** Why a part of a transaction cannot be stored by one of the shard's replicas; null: it can. */
  @Nullable Refusal refusal(Footprint part, NodeId replica) {
    String disk = full.get(replica);
    CompositeKey put = disk == null ? null : firstPut(part);
    return put == null ? null : new Refusal(AbortReason.DISK_FULL, put, null, disk, null);
  }

  /**
   * The first key of an entry that a transaction puts. Headers, TOP and the {@linkplain
   * ShardMap#NOTE_KCLS kcls for notes} are the bookkeeping of the grid and its host. It is small,
   * and removals and moves need it.
   */
  private static @Nullable CompositeKey firstPut(Footprint part) {
    for (Write write : part.writes()) {
      CompositeKey key = write.key();
      if (write.value() != null && !key.isHeader() && ShardMap.isOfEntries(key.kcl())) {
        return key;
      }
    }
    return null;
  }
}
