package io.canopygrid.wire.client;

import io.canopygrid.Durability;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.List;

/** The messages about the state of the grid. */
final class StatusCodec {
  private static final int NODE_BYTES_MIN = 12;
  private static final int INDEX_BYTES_MIN = 3;
  private static final int DISK_BYTES_MIN = 4;
  private static final int ZONE_BYTES_MIN = 2;

  /** The durabilities by their number on the wire minus 1; 0 stands for data in memory. */
  private static final List<Durability> DURABILITIES = List.of(Durability.ASYNC, Durability.FSYNC);

  private StatusCodec() {}

  static void write(ByteWriter out, Reply.Status m) {
    out.writeText(m.node()).writeVarLong(m.topology());
    out.writeVarLong(m.shards()).writeVarLong(m.owners());
    Parts.writeFlag(out, m.ready());
    out.writeVarLong(m.waiting());
    Parts.writeList(out, m.nodes(), StatusCodec::write);
    Parts.writeList(out, m.indexes(), StatusCodec::write);
  }

  static Reply.Status readStatus(ByteReader in) {
    String node = Parts.readName(in);
    long topology = Parts.readLong(in);
    int shards = Parts.readInt(in);
    int owners = Parts.readInt(in);
    boolean ready = Parts.readFlag(in);
    int waiting = Parts.readInt(in);
    return new Reply.Status(
        node,
        topology,
        shards,
        owners,
        ready,
        waiting,
        Parts.readList(in, NODE_BYTES_MIN, StatusCodec::readNode),
        Parts.readList(in, INDEX_BYTES_MIN, StatusCodec::readIndex));
  }

  static void write(ByteWriter out, Reply.Disks m) {
    Parts.writeList(out, m.nodes(), StatusCodec::write);
  }

  static Reply.Disks readDisks(ByteReader in) {
    return new Reply.Disks(Parts.readList(in, DISK_BYTES_MIN, StatusCodec::readDisk));
  }

  static void write(ByteWriter out, Reply.Zones m) {
    out.writeText(m.problem());
    Parts.writeList(out, m.nodes(), StatusCodec::write);
  }

  static Reply.Zones readZones(ByteReader in) {
    String problem = Parts.readName(in);
    return new Reply.Zones(problem, Parts.readList(in, ZONE_BYTES_MIN, StatusCodec::readZone));
  }

  private static void write(ByteWriter out, Reply.NodeZone m) {
    out.writeText(m.node()).writeText(m.zone());
  }

  private static Reply.NodeZone readZone(ByteReader in) {
    String node = Parts.readName(in);
    return new Reply.NodeZone(node, Parts.readName(in));
  }

  private static void write(ByteWriter out, Reply.NodeDisk m) {
    Durability durability = m.durability();
    out.writeText(m.node());
    out.writeByte(durability == null ? 0 : 1 + DURABILITIES.indexOf(durability));
    out.writeVarLong(m.totalBytes()).writeVarLong(m.freeBytes());
  }

  private static Reply.NodeDisk readDisk(ByteReader in) {
    String node = Parts.readName(in);
    int place = Parts.choice(in, 1 + DURABILITIES.size());
    long totalBytes = Parts.readLong(in);
    return new Reply.NodeDisk(
        node, place == 0 ? null : DURABILITIES.get(place - 1), totalBytes, Parts.readLong(in));
  }

  private static void write(ByteWriter out, Reply.NodeStatus m) {
    out.writeText(m.node()).writeText(m.name()).writeText(m.version());
    out.writeText(m.clientAddress()).writeText(m.nodeAddress());
    Parts.writeFlag(out, m.reachable());
    Parts.writeFlag(out, m.ready());
    out.writeVarLong(m.upMillis());
    out.writeVarLong(m.heapUsedBytes()).writeVarLong(m.heapMaxBytes());
    out.writeVarLong(m.primaryShards()).writeVarLong(m.ownedShards());
  }

  private static Reply.NodeStatus readNode(ByteReader in) {
    String node = Parts.readName(in);
    String name = Parts.readName(in);
    String version = Parts.readName(in);
    String clientAddress = Parts.readName(in);
    String nodeAddress = Parts.readName(in);
    boolean reachable = Parts.readFlag(in);
    boolean ready = Parts.readFlag(in);
    long upMillis = Parts.readLong(in);
    long heapUsedBytes = Parts.readLong(in);
    long heapMaxBytes = Parts.readLong(in);
    int primaryShards = Parts.readInt(in);
    return new Reply.NodeStatus(
        node,
        name,
        version,
        clientAddress,
        nodeAddress,
        reachable,
        ready,
        upMillis,
        heapUsedBytes,
        heapMaxBytes,
        primaryShards,
        Parts.readInt(in));
  }

  private static void write(ByteWriter out, Reply.IndexSize m) {
    out.writeText(m.name()).writeVarLong(m.entries());
    Parts.writeFlag(out, m.complete());
  }

  private static Reply.IndexSize readIndex(ByteReader in) {
    String name = Parts.readName(in);
    long entries = Parts.readLong(in);
    return new Reply.IndexSize(name, entries, Parts.readFlag(in));
  }
}
