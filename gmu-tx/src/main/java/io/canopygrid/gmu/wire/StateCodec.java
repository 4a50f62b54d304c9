package io.canopygrid.gmu.wire;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes of a shard's state. */
final class StateCodec {
  private StateCodec() {}

  static void writeState(MessageWriter out, Message.State state) {
    out.writeVarLong(state.topology());
    out.writeShard(state.shard());
    out.writeVarLong(state.request());
    out.writeVarLong(state.chunk());
    out.writeFlag(state.last());
    out.writeList(state.chains(), StateCodec::writeKeyVersions);
    out.writeList(state.log(), StateCodec::writeLogEntry);
    out.writeVarLong(state.applied());
    out.writeClock(state.mostRecent());
    out.writeList(state.records(), StateCodec::writeResolved);
    out.writeLong(state.since());
    out.writeList(state.gone(), (to, key) -> to.writeBytes(key.bytes()));
    out.writeVarLong(state.founded());
  }

  static Message.State readState(MessageReader in) {
    return new Message.State(
        in.readVarLong(),
        in.readShard(),
        in.readVarLong(),
        in.readCount(Integer.MAX_VALUE),
        in.readFlag(),
        in.readList(StateCodec::readKeyVersions),
        in.readList(StateCodec::readLogEntry),
        in.readVarLong(),
        in.readClock(),
        in.readList(StateCodec::readResolved),
        in.readLong(),
        in.readList(MessageReader::readKey),
        in.readVarLong());
  }

  static void writeKeyVersions(MessageWriter out, Message.KeyVersions versions) {
    out.writeBytes(versions.key().bytes());
    out.writeVarLong(versions.chain().length());
    for (VersionChain v = versions.chain(); v != null; v = v.older()) {
      writeVersion(out, v);
    }
  }

  private static void writeVersion(MessageWriter out, VersionChain version) {
    out.writeTid(version.tid());
    boolean moved = !version.writer().equals(version.tid());
    out.writeNullableTid(moved ? version.writer() : null);
    out.writeVarLong(version.sequenceNumber());
    out.writeClock(version.clock());
    out.writeNullableBytes(version.value());
  }

  static Message.KeyVersions readKeyVersions(MessageReader in) {
    CompositeKey key = in.readKey();
    List<Version> versions = in.readList(StateCodec::readVersion);
    try {
      return new Message.KeyVersions(key, chainOf(versions));
    } catch (InvariantViolation e) {
      throw new MalformedBytesException("no chain of " + key + ": " + e.getMessage());
    }
  }

  /** A chain comes newest first and is built from its oldest version on. */
  private static VersionChain chainOf(List<Version> versions) {
    if (versions.isEmpty()) {
      throw new MalformedBytesException("a chain without a version");
    }
    int oldest = versions.size() - 1;
    VersionChain chain = versions.get(oldest).onTopOf(null);
    for (int i = oldest - 1; i >= 0; i--) {
      chain = versions.get(i).onTopOf(chain);
    }
    return chain;
  }

  private static Version readVersion(MessageReader in) {
    TxId tid = in.readTid();
    TxId moved = in.readNullableTid();
    return new Version(
        tid, moved == null ? tid : moved, in.readVarLong(), in.readClock(), in.readNullableBytes());
  }

  private record Version(
      TxId tid, TxId writer, long sequenceNumber, VectorClock clock, byte @Nullable [] value) {
    VersionChain onTopOf(@Nullable VersionChain older) {
      return VersionChain.of(tid, writer, sequenceNumber, clock, value, older);
    }
  }

  private static void writeLogEntry(MessageWriter out, Message.LogEntry entry) {
    out.writeVarLong(entry.sequenceNumber());
    out.writeTid(entry.tid());
    out.writeClock(entry.clock());
  }

  private static Message.LogEntry readLogEntry(MessageReader in) {
    return new Message.LogEntry(in.readVarLong(), in.readTid(), in.readClock());
  }

  private static void writeResolved(MessageWriter out, Message.Resolved settled) {
    RecordCodec.writeRecord(out, settled.record());
    out.writeNullableClock(settled.clock());
  }

  private static Message.Resolved readResolved(MessageReader in) {
    return new Message.Resolved(RecordCodec.readRecord(in), in.readNullableClock());
  }
}
