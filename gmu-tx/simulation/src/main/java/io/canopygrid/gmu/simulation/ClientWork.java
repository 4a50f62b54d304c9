package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state that the clients of a run share: the mix of their transactions, and what they have
 * done.
 */
final class ClientWork {
  final List<ObservedTransaction> history = new ArrayList<>();
  final RequestNumbers requests = new RequestNumbers();
  final TransactionMix mix;
  final SnapshotTasks snapshots;
  private final SimulatedWorld world;

  ClientWork(SimulatedWorld world) {
    this.world = world;
    this.mix = new TransactionMix(world);
    this.snapshots = new SnapshotTasks(world);
  }

  /** The tombstones dropped at a node that a reader of absent keys has seen. */
  Map<CompositeKey, TxId> ghosts(SimulatedNode node, int shard) {
    Map<CompositeKey, TxId> ghosts = Map.of();
    for (int number = 0; number < mix.keys(); number++) {
      CompositeKey key = world.key(shard, number);
      TxId ghost = node.ledger.ghost(key);
      if (ghost != null) {
        ghosts = ghosts.isEmpty() ? new HashMap<>() : ghosts;
        ghosts.put(key, ghost);
      }
    }
    return ghosts;
  }
}
