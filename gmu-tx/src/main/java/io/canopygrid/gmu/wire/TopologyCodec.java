package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.List;

/** Topologies and nodes to bytes, and back. Stateless and thread-safe. */
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
