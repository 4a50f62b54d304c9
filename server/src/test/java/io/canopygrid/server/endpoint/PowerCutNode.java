package io.canopygrid.server.endpoint;

import io.canopygrid.Durability;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.storage.Recovered;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** A lone node with a disk. After a power cut it lacks what was committed since some moment. */
final class PowerCutNode {
  private static final ShardMap SHARDS = new ShardMap(8);

  private InMemoryStorage disk = new InMemoryStorage();

  /** The handle of the node, with what its disk has. */
  EmbeddedCanopy start() {
    return handle(
        StandaloneNode.start(
            SHARDS,
            NodeSettings.DEFAULT,
            BPlusTree.factory(),
            new SubtreeFences(),
            disk,
            Durability.ASYNC));
  }

  /** A power cut would take all that is committed from now on. */
  InMemoryStorage forced(VectorClock seen) {
    InMemoryStorage forced = disk.reopened();
    while (!seen.precedesOrEquals(forced.recovered().complete())) {
      Thread.onSpinWait();
      forced = disk.reopened();
    }
    return forced;
  }

  /** The handle of the node that finds on its disk only what was forced. */
  EmbeddedCanopy startWith(InMemoryStorage forced) {
    disk = forced;
    Recovered recovered = forced.recovered();
    Topology last = Objects.requireNonNull(recovered.topology());
    NodeId self = new NodeId(recovered.users().size() + 1);
    HostedNode node =
        new HostedNode(
            self,
            SHARDS,
            NodeSettings.DEFAULT,
            BPlusTree.factory(),
            new SubtreeFences(),
            (to, message) -> {
              throw new IllegalStateException("there is no other node: to=" + to);
            },
            NodeHost.NONE,
            new NodeStorage(forced, Durability.ASYNC));
    long topology = last.id() + 1;
    VectorClock kept = recovered.complete();
    Cut cut = new Cut(topology, kept);
    node.founds(new GridFounding(topology, List.of(last), kept, cut), recovered);
    Topology.Placement here = new Topology.Placement(List.of(self), List.of());
    node.install(
        new Topology(topology, List.of(self), Collections.nCopies(SHARDS.shards() + 1, here)));
    return handle(node);
  }

  private static EmbeddedCanopy handle(GmuNode node) {
    while (!node.isReady()) {
      Thread.onSpinWait();
    }
    return SimulatedHandle.of(node, SplitLimits.DEFAULT);
  }
}
