package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.DiskTrouble.Kind;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.protocol.membership.Placements;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members whose disks have no room or are slow, as far as this node has heard (protocol.md,
 * Disks in trouble). Confined to the protocol lock.
 */
final class TroubledDisks {
  private final Map<NodeId, DiskTrouble> troubles = new HashMap<>();

  /**
   * @param trouble of the node's disk; null: there is none
   */
  void heard(NodeId node, @Nullable DiskTrouble trouble) {
    if (trouble == null) {
      troubles.remove(node);
    } else {
      troubles.put(node, trouble);
    }
  }

  /** The trouble of a node's disk; null: there is none. */
  @Nullable DiskTrouble of(NodeId node) {
    return troubles.get(node);
  }

  /** Forgets all other nodes. */
  void retain(Collection<NodeId> members) {
    troubles.keySet().retainAll(members);
  }

  /** Why the parts of a transaction, by shard, cannot be stored by all; null: they can. */
  @Nullable Refusal refusal(Map<Integer, Footprint> parts, Placements placements) {
    if (troubles.isEmpty()) {
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
    DiskTrouble trouble = troubles.get(replica);
    if (trouble == null) {
      return null;
    }
    CompositeKey key = firstEntry(part, trouble.kind() == Kind.SLOW);
    return key == null ? null : new Refusal(reason(trouble), key, null, trouble.words(), null);
  }

  private static AbortReason reason(DiskTrouble trouble) {
    return switch (trouble.kind()) {
      case FULL -> AbortReason.DISK_FULL;
      case SLOW -> AbortReason.DISK_SLOW;
    };
  }

  /**
   * The first key of an entry that a transaction puts, or also removes. Headers, TOP and the
   * {@linkplain ShardMap#NOTE_KCLS kcls for notes} are the bookkeeping of the grid and its host. It
   * is small, and removals and moves need it.
   */
  private static @Nullable CompositeKey firstEntry(Footprint part, boolean orRemoved) {
    for (Write write : part.writes()) {
      CompositeKey key = write.key();
      if ((orRemoved || write.value() != null)
          && !key.isHeader()
          && ShardMap.isOfEntries(key.kcl())) {
        return key;
      }
    }
    return null;
  }
}
