package io.canopygrid.btree.embedded;

import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.InProcessNetwork;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.simulation.TreeMapStore;
import io.canopygrid.gmu.store.OrderedStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grid in this JVM, one handle for each node. */
final class TestGrid implements AutoCloseable {
  private final List<GmuNode> nodes = new ArrayList<>();
  private final List<EmbeddedCanopy> handles = new ArrayList<>();
  private final @Nullable InProcessNetwork network;

  private TestGrid(@Nullable InProcessNetwork network) {
    this.network = network;
  }

  /** One node, one handle. */
  static TestGrid standalone(int arity) {
    TestGrid grid = new TestGrid(null);
    grid.add(
        StandaloneNode.start(
            new ShardMap(8), NodeSettings.DEFAULT, stores(arity), new SubtreeFences()));
    return grid;
  }

  /** Some nodes in one network. */
  static TestGrid network(int size, int owners, int shards, int arity) {
    InProcessNetwork network =
        InProcessNetwork.start(
            size,
            owners,
            new ShardMap(shards),
            NodeSettings.DEFAULT,
            stores(arity),
            new SubtreeFences());
    TestGrid grid = new TestGrid(network);
    for (int i = 0; i < size; i++) {
      grid.add(network.node(i));
    }
    return grid;
  }

  private static OrderedStore.Factory stores(int arity) {
    return TreeMapStore.FACTORY;
  }

  private void add(GmuNode node) {
    nodes.add(node);
    handles.add(EmbeddedCanopy.of(node, SplitLimits.DEFAULT));
  }

  GmuNode node(int i) {
    return nodes.get(i);
  }

  EmbeddedCanopy handle(int i) {
    return handles.get(i);
  }

  int size() {
    return handles.size();
  }

  @Override
  public void close() {
    handles.forEach(EmbeddedCanopy::close);
    if (network != null) {
      network.close();
    }
  }
}
