package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;

/** Nodes with a broken rule that only the layers above can notice. */
public final class BrokenNodes {
  private BrokenNodes() {}

  /** A node whose prepares do not lock the headers of the kcls that they touch. */
  public static ProtocolNode withoutHeaderLocks(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    Rules rules =
        new Rules() {
          @Override
          boolean locksHeaders() {
            return false;
          }
        };
    return new ProtocolNode(id, shards, config, stores, fences, rules);
  }

  /** A node whose backups tell that they have no header of a kcl. */
  public static ProtocolNode tellingWhatBackupsLack(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    Rules rules =
        new Rules() {
          @Override
          boolean backupTells(ReadAnswer answer) {
            return true;
          }
        };
    return new ProtocolNode(id, shards, config, stores, fences, rules);
  }

  /** A node whose transactions keep all answers to reads asked for at the same time. */
  public static ProtocolNode keepingAllAnswers(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    Rules rules =
        new Rules() {
          @Override
          boolean agrees(int shard, VectorClock answered, VectorClock clock, ShardSet hasRead) {
            return true;
          }
        };
    return new ProtocolNode(id, shards, config, stores, fences, rules);
  }
}
