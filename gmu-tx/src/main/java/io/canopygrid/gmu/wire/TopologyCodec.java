package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Cut;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Topologies, nodes and cuts to bytes, and back. Stateless and thread-safe. */
final class TopologyCodec {
  private TopologyCodec() {}

  static void writeTopology(MessageWriter out, Topology topology) {
    out.writeVarLong(topology.id());
    writeNodes(out, topology.members());
    out.writeList(topology.shards(), TopologyCodec::writePlacement);
  }

  static Topology readTopology(MessageReader in) {
    return new Topology(in.readVarLong(), readNodes(in), in.readList(TopologyCodec::readPlacement));
  }

  static void writeCut(MessageWriter out, Cut cut) {
    out.writeVarLong(cut.topology());
    out.writeClock(cut.upTo());
  }

  static Cut readCut(MessageReader in) {
    return new Cut(in.readVarLong(), in.readClock());
  }

  static void writeNullableCut(MessageWriter out, @Nullable Cut cut) {
    out.writeFlag(cut != null);
    if (cut != null) {
      writeCut(out, cut);
    }
  }

  static @Nullable Cut readNullableCut(MessageReader in) {
    return in.readFlag() ? readCut(in) : null;
  }

  private static void writePlacement(MessageWriter out, Placement placement) {
    writeNodes(out, placement.owners());
    writeNodes(out, placement.learners());
  }

  private static Placement readPlacement(MessageReader in) {
    return new Placement(readNodes(in), readNodes(in));
  }

  static void writeNodes(MessageWriter out, List<NodeId> nodes) {
    out.writeList(nodes, (to, node) -> to.writeLong(node.value()));
  }

  static List<NodeId> readNodes(MessageReader in) {
    return in.readList(from -> new NodeId(from.readLong()));
  }
}
