package io.canopygrid.study.grid;

import io.canopygrid.Codec;
import io.canopygrid.FunctionTransaction;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.StudyTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A node that has the index and the study trees, over the same transactions. Thread-safe; owns the
 * node.
 */
public final class StudyMember implements AutoCloseable {
  /** A function that counts an entry's first eight bytes up; without arguments. */
  public static final String COUNT_UP = "study.count-up";

  /** A function that sets an entry to its arguments. */
  public static final String PUT = "study.put";

  private static final int INDEX_CHANNEL = 0;
  private static final int TREE_CHANNEL = 1;
  private static final int TRAFFIC_CHANNEL = 2;
  private static final int OWNER_CHANNEL = 3;
  private static final int CHANNELS = 4;

  private final GmuNode node;
  private final QuestionMultiplexer questions;
  private final GmuNode inspector;
  private final EmbeddedCanopy canopy;
  private final StudyTree trees;

  /** Serves at a node, which becomes its own. */
  public StudyMember(GmuNode node) {
    this.node = node;
    this.questions = new QuestionMultiplexer(node, CHANNELS);
    this.canopy = SimulatedHandle.of(questions.face(INDEX_CHANNEL, true), SplitLimits.DEFAULT);
    this.trees = new StudyTree(questions.face(TREE_CHANNEL, true));
    this.inspector = questions.face(TRAFFIC_CHANNEL, false);
    inspector.calls().serve((question, answer) -> answer.accept(ownTraffic().toBytes()));
    canopy.register(COUNT_UP, StudyMember::countUp);
    canopy.register(PUT, StudyMember::put);
  }

  private static byte[] countUp(FunctionTransaction tx, byte[] arguments) {
    FunctionTransaction.Place place = placeOf(tx);
    byte[] value = place.get();
    if (value != null) {
      place.put(Operation.countedUp(value));
    }
    return Codec.bool().encode(value != null);
  }

  private static byte[] put(FunctionTransaction tx, byte[] arguments) {
    placeOf(tx).put(arguments);
    return new byte[0];
  }

  private static FunctionTransaction.Place placeOf(FunctionTransaction tx) {
    FunctionTransaction.Place place = tx.place();
    if (place == null) {
      throw new IllegalArgumentException("the function needs a place");
    }
    return place;
  }

  /** The node itself. */
  public GmuNode node() {
    return node;
  }

  /** The node for whoever asks others to run operations of the index. */
  public GmuNode ownerLane() {
    return questions.face(OWNER_CHANNEL, true);
  }

  /** The index's handle. */
  public EmbeddedCanopy canopy() {
    return canopy;
  }

  /** The study trees. */
  public StudyTree trees() {
    return trees;
  }

  /** The traffic that this node has sent. */
  public GridTraffic ownTraffic() {
    return GridTraffic.of(node.counters(), questions.asked());
  }

  /** Asks another member for what it has sent, which is not counted as work. */
  public CompletableFuture<byte[]> ask(NodeId other) {
    return inspector.calls().ask(other, new byte[0]);
  }

  /** The traffic that all members have sent. */
  public GridTraffic traffic() {
    GridTraffic all = ownTraffic();
    List<CompletableFuture<byte[]>> others = new ArrayList<>();
    for (NodeId member : node.topology().members()) {
      if (!member.equals(node.self())) {
        others.add(ask(member));
      }
    }
    for (CompletableFuture<byte[]> other : others) {
      all = all.plus(GridTraffic.of(other.join()));
    }
    return all;
  }

  /** Leaves at once: nobody needs the data of a measurement, of which there is often one copy. */
  @Override
  public void close() {
    node.abandon();
    trees.close();
    canopy.close();
  }
}
