package io.canopygrid.btree.horizon;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.OpenTransaction;
import io.canopygrid.gmu.node.HeldVersions;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/** The past that a node keeps, by its own account, and what at that node keeps it. */
public record HorizonFacts(NodeId node, HeldVersions held) {
  /** No node tells of as many transactions. */
  private static final int OPEN_MAX = 1_000;

  private static final int BYTES = 512;

  /** The node's name in the grid. */
  public String id() {
    return node.toString();
  }

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(BYTES).writeLong(node.value());
    out.writeVarLong(held.versions()).writeVarLong(held.logged());
    out.writeVarLong(held.horizonNanos()).writeVarLong(held.undoneCommits());
    out.writeVarLong(held.undoneNanos()).writeVarLong(held.unforcedNanos());
    out.writeVarLong(held.open().size());
    for (OpenTransaction open : held.open()) {
      out.writeText(open.label()).writeVarLong(open.ageNanos());
    }
    return out.toBytes();
  }

  static HorizonFacts decode(byte[] bytes) {
    return NodeBytes.decodeBeginning(bytes, HorizonFacts::read);
  }

  private static HorizonFacts read(ByteReader in) {
    NodeId node = new NodeId(in.readLong());
    long versions = in.readVarLong();
    long logged = in.readVarLong();
    long horizonNanos = in.readVarLong();
    int undoneCommits = in.readCount(Integer.MAX_VALUE);
    long undoneNanos = in.readVarLong();
    long unforcedNanos = in.readVarLong();
    List<OpenTransaction> open = new ArrayList<>();
    for (int left = in.readCount(OPEN_MAX); left > 0; left--) {
      String label = in.readText();
      open.add(new OpenTransaction(label, in.readVarLong()));
    }
    return new HorizonFacts(
        node,
        new HeldVersions(
            versions, logged, horizonNanos, open, undoneCommits, undoneNanos, unforcedNanos));
  }
}
