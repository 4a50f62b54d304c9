package io.canopygrid.wire.client;

import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The messages about the connection as a whole. */
final class ConnectionCodec {
  private ConnectionCodec() {}

  static void write(ByteWriter out, ClientMessage.Ping m) {
    out.writeLong(m.number());
  }

  static ClientMessage.Ping readPing(ByteReader in) {
    return new ClientMessage.Ping(in.readLong());
  }

  static void write(ByteWriter out, ClientMessage.Pong m) {
    out.writeLong(m.number());
  }

  static ClientMessage.Pong readPong(ByteReader in) {
    return new ClientMessage.Pong(in.readLong());
  }

  static void write(ByteWriter out, ClientMessage.Goodbye m) {
    out.writeVarLong(m.code()).writeText(m.text());
  }

  static ClientMessage.Goodbye readGoodbye(ByteReader in) {
    int code = Parts.readInt(in);
    return new ClientMessage.Goodbye(code, Parts.readName(in));
  }

  static void write(ByteWriter out, Request.Hello m) {
    out.writeInt(WireLimits.MAGIC).writeVarLong(m.versionMin()).writeVarLong(m.versionMax());
    out.writeLong(m.features());
    Parts.writeUuid(out, m.client());
    out.writeText(m.software());
    if (m.versionMax() >= WireLimits.VERSION_OF_GRIDS) {
      GridId grid = m.grid();
      Parts.writeFlag(out, grid != null);
      if (grid != null) {
        Parts.writeGrid(out, grid);
      }
    }
  }

  static Request.Hello readHello(ByteReader in) {
    int magic = in.readInt();
    if (magic != WireLimits.MAGIC) {
      throw new MalformedBytesException("does not begin with CNPY: " + Integer.toHexString(magic));
    }
    int versionMin = Parts.readInt(in);
    int versionMax = Parts.readInt(in);
    long features = in.readLong();
    UUID client = Parts.readUuid(in);
    String software = Parts.readName(in);
    boolean grid = versionMax >= WireLimits.VERSION_OF_GRIDS && Parts.readFlag(in);
    return new Request.Hello(
        versionMin, versionMax, features, client, software, grid ? Parts.readGrid(in) : null);
  }

  static void write(ByteWriter out, Request.Authenticate m) {
    out.writeText(m.mechanism()).writeBytes(m.data());
  }

  static Request.Authenticate readAuthenticate(ByteReader in) {
    String mechanism = Parts.readName(in);
    return new Request.Authenticate(mechanism, in.readBytes());
  }

  static void write(ByteWriter out, Reply.Welcome m) {
    out.writeVarLong(m.version()).writeLong(m.features()).writeText(m.node());
    out.writeText(m.cluster());
    Parts.writeGrid(out, m.grid().id());
    out.writeLong(m.grid().founded().toEpochMilli());
    out.writeLong(m.serverMillis()).writeVarLong(m.shards());
    Reply.Limits limits = m.limits();
    out.writeVarLong(limits.frameBytesMax()).writeVarLong(limits.requestsMax());
    out.writeVarLong(limits.transactionsMax()).writeVarLong(limits.cursorsMax());
    out.writeVarLong(limits.transactionBytesMax()).writeVarLong(limits.idleMillis());
    Parts.writeList(out, m.mechanisms(), ByteWriter::writeText);
  }

  static Reply.Welcome readWelcome(ByteReader in) {
    int version = Parts.readInt(in);
    long features = in.readLong();
    String node = Parts.readName(in);
    String cluster = Parts.readName(in);
    GridId grid = Parts.readGrid(in);
    Instant founded = Instant.ofEpochMilli(in.readLong());
    long serverMillis = in.readLong();
    int shards = Parts.readInt(in);
    Reply.Limits limits = readLimits(in);
    List<String> mechanisms = Parts.readList(in, 1, Parts::readName);
    return new Reply.Welcome(
        version,
        features,
        node,
        cluster,
        new GridInfo(grid, founded),
        serverMillis,
        shards,
        limits,
        mechanisms);
  }

  private static Reply.Limits readLimits(ByteReader in) {
    int frameBytesMax = Parts.readInt(in);
    int requestsMax = Parts.readInt(in);
    int transactionsMax = Parts.readInt(in);
    int cursorsMax = Parts.readInt(in);
    long transactionBytesMax = Parts.readLong(in);
    return new Reply.Limits(
        frameBytesMax,
        requestsMax,
        transactionsMax,
        cursorsMax,
        transactionBytesMax,
        Parts.readLong(in));
  }

  static void write(ByteWriter out, Reply.Challenge m) {
    Parts.writeFlag(out, m.done());
    out.writeBytes(m.data());
  }

  static Reply.Challenge readChallenge(ByteReader in) {
    boolean done = Parts.readFlag(in);
    return new Reply.Challenge(done, in.readBytes());
  }

  static void write(ByteWriter out, Reply.Drain m) {
    out.writeVarLong(m.graceMillis());
  }

  static Reply.Drain readDrain(ByteReader in) {
    return new Reply.Drain(Parts.readLong(in));
  }
}
