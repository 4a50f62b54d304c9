package io.canopygrid.btree.simulation;

import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state that the clients of a run share: the nodes' handles, the indexes, and the keys in use.
 */
final class TreeWorld {
  private final TreeShape shape;
  private final TreeRun run;
  private final Map<NodeId, EmbeddedCanopy> handles = new TreeMap<>();
  private final Map<EmbeddedCanopy, Map<Integer, Index<Long, Long>>> indexes = new HashMap<>();
  private final SeenClocks told;

  TreeWorld(SimulatedGrid grid, TreeShape shape, TreeRun run) {
    this.told = new SeenClocks(grid);
    this.shape = shape;
    this.run = run;
  }

  void onNode(NodeId node, EmbeddedCanopy handle) {
    handles.put(node, handle);
  }

  /** The handles of all nodes that there ever were, by their numbers. */
  Collection<EmbeddedCanopy> handles() {
    return handles.values();
  }

  EmbeddedCanopy handle(GmuNode node) {
    EmbeddedCanopy handle = handles.get(node.self());
    if (handle == null) {
      throw new IllegalStateException("no handle: " + node.self());
    }
    return handle;
  }

  /** Opens an index; at each node once, as a program would. */
  Index<Long, Long> open(EmbeddedCanopy db, int index) {
    Map<Integer, Index<Long, Long>> opened = indexes.computeIfAbsent(db, d -> new TreeMap<>());
    Index<Long, Long> found = opened.get(index);
    if (found == null) {
      IndexOptions options = new IndexOptions(shape.subtreeEntriesMax());
      found = db.index("i" + index, Codec.int64(), Codec.int64(), options);
      opened.put(index, found);
    }
    return found;
  }

  int indexes() {
    return shape.indexes();
  }

  int keys() {
    return shape.keys();
  }

  int anyIndex(SeededRandom random) {
    return random.below(shape.indexes());
  }

  long anyKey(SeededRandom random) {
    return random.below(shape.keys());
  }

  Attempt.Kind kind(SeededRandom random) {
    if (random.chance(shape.readOnly())) {
      return Attempt.Kind.READ_ONLY;
    }
    return random.chance(0.1) ? Attempt.Kind.SERIALIZABLE : Attempt.Kind.UPDATE;
  }

  /** Whether a shard may have no owner that can be reached, for a while. */
  boolean mayBeUnavailable(ErrorCode code) {
    return !run.calm() && code == ErrorCode.SHARD_UNAVAILABLE;
  }

  /** A client was told this token. */
  void tell(CausalToken token) {
    told.saw(token.clock());
  }

  /** All that any client was told, and that no cut has taken. */
  CausalToken told() {
    return CausalToken.of(null, told.clock());
  }
}
