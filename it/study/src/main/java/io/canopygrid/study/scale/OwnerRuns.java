package io.canopygrid.study.scale;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.study.load.StudySubject;
import io.canopygrid.study.load.SubtreeSpans;
import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.OperationResult;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations of the index at the owner of their key, as registered functions do, for one
 * request; the record that such a call leaves in the owner's shard is left out.
 */
final class OwnerRuns implements StudySubject, NodeCalls.Server {
  private static final int WORKERS = 32;
  private static final int WAITING_MAX = 10_000;

  private final GmuNode node;
  private final StudySubject index;
  private final List<NodeThreads.Worker> workers = new ArrayList<>();
  private int turn;
  private int number;

  OwnerRuns(GmuNode node, StudySubject index) {
    this.node = node;
    this.index = index;
    for (int i = 0; i < WORKERS; i++) {
      workers.add(node.threads().worker("owner-" + node.self() + "-" + i, WAITING_MAX));
    }
    node.calls().serve(this);
  }

  /** The owner of the key, as far as this node knows; null: none is known. */
  @Nullable NodeId ownerOf(byte[] key) {
    if (number == 0) {
      number = SubtreeSpans.lastIndex(node);
    }
    long kcl = Crown.subtreeOf(node.top(), number, key);
    if (kcl == SubtreeHeader.NONE) {
      return null;
    }
    List<NodeId> owners = node.topology().shard(node.shardMap().shardOf(kcl)).owners();
    return owners.isEmpty() ? null : owners.get(0);
  }

  @Override
  public OperationResult run(Operation operation) {
    NodeId owner = ownerOf(operation.key());
    if (owner == null || owner.equals(node.self())) {
      return index.run(operation);
    }
    ByteWriter out = new ByteWriter(64);
    operation.write(out);
    return OperationResult.read(new ByteReader(node.calls().ask(owner, out.toBytes()).join()));
  }

  @Override
  public long aborts() {
    return index.aborts();
  }

  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    Operation operation = Operation.read(new ByteReader(question));
    boolean taken =
        workers
            .get(turn++ % WORKERS)
            .submit(() -> {
              ByteWriter out = new ByteWriter(64);
              index.run(operation).write(out);
              answer.accept(out.toBytes());
            });
    if (!taken) {
      throw new IllegalStateException("too many operations wait at " + node.self());
    }
  }
}
