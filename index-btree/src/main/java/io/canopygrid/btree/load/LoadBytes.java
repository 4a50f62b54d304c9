package io.canopygrid.btree.load;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.List;

/** The loads of a node's subtrees as they go from node to node. */
public final class LoadBytes {
  private static final int SUBTREES_MAX = 10_000_000;
  private static final double MILLI = 1e3;

  private LoadBytes() {}

  /** The bytes of some loads; rates keep three decimals. */
  public static byte[] encode(List<SubtreeLoad> loads) {
    ByteWriter out = new ByteWriter(16 + 40 * loads.size());
    out.writeVarLong(loads.size());
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
    return out.toBytes();
  }

  /**
   * The loads of some bytes.
   *
   * @throws MalformedBytesException where they are none
   */
  public static List<SubtreeLoad> decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
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
    in.end();
    return loads;
  }
}
