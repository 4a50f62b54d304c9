package io.canopygrid.btree.load;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytes of a {@link NodeLoad}, as it goes from node to node. */
public final class LoadBytes {
  private static final int SUBTREES_MAX = 10_000_000;
  private static final double MILLI = 1e3;

  private LoadBytes() {}

  /** The bytes of a node's load; rates keep three decimals. */
  public static byte[] encode(NodeLoad node) {
    List<SubtreeLoad> loads = node.served();
    ByteWriter out = new ByteWriter(32 + 40 * loads.size() + 12 * node.uses().size());
    out.writeLong(node.node().value()).writeVarLong(loads.size());
    for (SubtreeLoad load : loads) {
      out.writeLong(load.kcl())
          .writeVarLong(load.entries())
          .writeVarLong(load.bytes())
          .writeVarLong(Math.round(load.readsPerSecond() * MILLI))
          .writeVarLong(Math.round(load.writesPerSecond() * MILLI))
          .writeVarLong(load.seenMillis())
          .writeVarLong(load.cuts().size());
      load.cuts().forEach(out::writeBytes);
    }
    out.writeVarLong(node.uses().size());
    node.uses()
        .forEach(
            (kcl, perSecond) -> out.writeLong(kcl).writeVarLong(Math.round(perSecond * MILLI)));
    return out.toBytes();
  }

  /**
   * The load of some bytes.
   *
   * @throws MalformedBytesException where they are none
   */
  public static NodeLoad decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    NodeId node = new NodeId(in.readLong());
    List<SubtreeLoad> loads = new ArrayList<>();
    for (int left = in.readCount(SUBTREES_MAX); left > 0; left--) {
      long kcl = in.readLong();
      long entries = in.readVarLong();
      long size = in.readVarLong();
      double reads = in.readVarLong() / MILLI;
      double writes = in.readVarLong() / MILLI;
      long seen = in.readVarLong();
      List<byte[]> cuts = new ArrayList<>();
      for (int cut = in.readCount(SubtreeLoad.CUTS_MAX); cut > 0; cut--) {
        cuts.add(in.readBytes());
      }
      loads.add(new SubtreeLoad(kcl, entries, size, reads, writes, seen, cuts));
    }
    Map<Long, Double> uses = new HashMap<>();
    for (int left = in.readCount(SUBTREES_MAX); left > 0; left--) {
      uses.put(in.readLong(), in.readVarLong() / MILLI);
    }
    in.end();
    return new NodeLoad(node, loads, uses);
  }
}
