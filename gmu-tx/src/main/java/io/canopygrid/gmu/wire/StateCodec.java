package io.canopygrid.gmu.wire;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Message;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes of a shard's state. */
final class StateCodec {
  private StateCodec() {}

  static void writeState(WireWriter out, Message.State state) {
    out.varint(state.topology());
    out.shard(state.shard());
    out.varint(state.request());
    out.varint(state.chunk());
    out.bool(state.last());
    out.list(state.chains(), StateCodec::writeKeyVersions);
    out.list(state.log(), StateCodec::writeLogEntry);
    out.varint(state.applied());
    out.clock(state.mostRecent());
    out.list(state.records(), StateCodec::writeSettled);
  }

  static Message.State readState(WireReader in) {
    return new Message.State(
        in.varint(),
        in.shard(),
        in.varint(),
        in.number(Integer.MAX_VALUE),
        in.bool(),
        in.list(StateCodec::readKeyVersions),
        in.list(StateCodec::readLogEntry),
        in.varint(),
        in.clock(),
        in.list(StateCodec::readSettled));
  }

  private static void writeKeyVersions(WireWriter out, Message.KeyVersions versions) {
    out.bytes(versions.key().bytes());
    out.varint(versions.chain().length());
    for (VersionChain v = versions.chain(); v != null; v = v.older()) {
      writeVersion(out, v);
    }
  }

  private static void writeVersion(WireWriter out, VersionChain version) {
    out.tid(version.tid());
    boolean moved = !version.writer().equals(version.tid());
    out.nullableTid(moved ? version.writer() : null);
    out.varint(version.sequenceNumber());
    out.clock(version.clock());
    out.nullableBytes(version.value());
  }

  private static Message.KeyVersions readKeyVersions(WireReader in) {
    CompositeKey key = in.key();
    List<Version> versions = in.list(StateCodec::readVersion);
    try {
      return new Message.KeyVersions(key, chainOf(versions));
    } catch (InvariantViolation e) {
      throw new WireException("no chain of " + key + ": " + e.getMessage());
    }
  }

  /** A chain comes newest first and is built from its oldest version on. */
  private static VersionChain chainOf(List<Version> versions) {
    if (versions.isEmpty()) {
      throw new WireException("a chain without a version");
    }
    int oldest = versions.size() - 1;
    VersionChain chain = versions.get(oldest).onTopOf(null);
    for (int i = oldest - 1; i >= 0; i--) {
      chain = versions.get(i).onTopOf(chain);
    }
    return chain;
  }

  private static Version readVersion(WireReader in) {
    TxId tid = in.tid();
    TxId moved = in.nullableTid();
    return new Version(
        tid, moved == null ? tid : moved, in.varint(), in.clock(), in.nullableBytes());
  }

  private record Version(
      TxId tid, TxId writer, long sequenceNumber, VectorClock clock, byte @Nullable [] value) {
    VersionChain onTopOf(@Nullable VersionChain older) {
      return VersionChain.of(tid, writer, sequenceNumber, clock, value, older);
    }
  }

  private static void writeLogEntry(WireWriter out, Message.LogEntry entry) {
    out.varint(entry.sequenceNumber());
    out.tid(entry.tid());
    out.clock(entry.clock());
  }

  private static Message.LogEntry readLogEntry(WireReader in) {
    return new Message.LogEntry(in.varint(), in.tid(), in.clock());
  }

  private static void writeSettled(WireWriter out, Message.Settled settled) {
    RecordCodec.writeRecord(out, settled.record());
    out.nullableClock(settled.clock());
  }

  private static Message.Settled readSettled(WireReader in) {
    return new Message.Settled(RecordCodec.readRecord(in), in.nullableClock());
  }
}
