package io.canopygrid.study.tree;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An operation that moves to where its subtree is, and how that went, as bytes.
 *
 * @param subtree the page right below the cut-off
 * @param clock where its transaction was
 * @param reads what it has read on the way and must be validated with it
 */
record MigratedOperation(
    TreeLayout layout,
    Operation operation,
    PageRef subtree,
    VectorClock clock,
    Map<CompositeKey, Seen> reads) {
  byte[] toBytes() {
    ByteWriter out = new ByteWriter(256);
    layout.write(out);
    operation.write(out);
    subtree.write(out);
    ClockBytes.write(out, clock);
    out.writeVarLong(reads.size());
    reads.forEach((key, seen) -> {
      out.writeBytes(key.bytes()).writeByte(seen.tombstone() ? 1 : 0);
      TxId writer = seen.writer();
      out.writeByte(writer == null ? 0 : 1);
      if (writer != null) {
        out.writeLong(writer.coordinator().value()).writeLong(writer.counter());
      }
    });
    return out.toBytes();
  }

  static MigratedOperation of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    TreeLayout layout = TreeLayout.read(in);
    Operation operation = Operation.read(in);
    PageRef subtree = PageRef.read(in);
    VectorClock clock = ClockBytes.read(in);
    Map<CompositeKey, Seen> reads = new LinkedHashMap<>();
    for (int i = in.readCount(in.remaining()); i > 0; i--) {
      CompositeKey key = CompositeKey.ofBytes(in.readBytes());
      boolean tombstone = in.readByte() == 1;
      TxId writer = in.readByte() == 0 ? null : new TxId(new NodeId(in.readLong()), in.readLong());
      reads.put(key, new Seen(writer, tombstone));
    }
    in.end();
    return new MigratedOperation(layout, operation, subtree, clock, reads);
  }
}
