package io.canopygrid.btree.upgrade;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.wire.ByteWriter;
import java.util.HashSet;
import java.util.Set;

/**
 * The levels of a node by its own account. Later releases add to the end of the bytes.
 *
 * @param lowest that it speaks
 * @param highest that it speaks
 * @param level of the grid, as it knows
 * @param joined that a node must speak to join, as it tells those who ask
 * @param others the nodes that it can reach, members or not
 */
record NodeLevels(int lowest, int highest, int level, int joined, Set<NodeId> others) {
  private static final int FIXED_BYTES = 24;

  /** The levels of this node. */
  static NodeLevels of(GmuNode node) {
    GridLevel grid = node.level();
    // Whom this node has told the level before is in its view: so the level is looked at first.
    int joined = grid.joined();
    Set<NodeId> others = new HashSet<>(node.view().strangers());
    node.view().members().forEach(member -> others.add(member.node()));
    return new NodeLevels(GridLevel.lowest(), GridLevel.highest(), grid.level(), joined, others);
  }

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(FIXED_BYTES + Long.BYTES * others.size());
    out.writeVarLong(lowest).writeVarLong(highest).writeVarLong(level).writeVarLong(joined);
    out.writeVarLong(others.size());
    others.forEach(other -> out.writeLong(other.value()));
    return out.toBytes();
  }

  static NodeLevels decode(byte[] bytes) {
    return NodeBytes.decodeBeginning(
        bytes,
        in -> {
          int lowest = (int) in.readVarLong();
          int highest = (int) in.readVarLong();
          int level = (int) in.readVarLong();
          int joined = (int) in.readVarLong();
          Set<NodeId> others = new HashSet<>();
          for (long left = in.readVarLong(); left > 0; left--) {
            others.add(new NodeId(in.readLong()));
          }
          return new NodeLevels(lowest, highest, level, joined, others);
        });
  }
}
