package io.canopygrid.btree.serve;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.wire.ByteWriter;

/**
 * The state of a node by its own account.
 *
 * @param version of its release; {@code -}: it is no server's, and does not know
 * @param upMillis since it began to serve
 * @param heapUsedBytes of its JVM
 * @param heapMaxBytes of its JVM
 * @param ready whether it serves, and TOP answers it
 */
public record NodeFacts(
    NodeId node,
    String version,
    long upMillis,
    long heapUsedBytes,
    long heapMaxBytes,
    boolean ready) {
  private static final int FIXED_BYTES = 60;

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(FIXED_BYTES + version.length());
    out.writeLong(node.value()).writeText(version).writeVarLong(upMillis);
    out.writeVarLong(heapUsedBytes).writeVarLong(heapMaxBytes).writeByte(ready ? 1 : 0);
    return out.toBytes();
  }

  static NodeFacts decode(byte[] bytes) {
    return NodeBytes.decode(
        bytes,
        in -> {
          NodeId node = new NodeId(in.readLong());
          String version = in.readText();
          long upMillis = in.readVarLong();
          long heapUsedBytes = in.readVarLong();
          long heapMaxBytes = in.readVarLong();
          return new NodeFacts(
              node, version, upMillis, heapUsedBytes, heapMaxBytes, in.readByte() == 1);
        });
  }
}
