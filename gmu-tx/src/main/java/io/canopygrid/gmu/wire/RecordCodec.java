package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.protocol.Message;
import java.util.List;

/** The bytes of records, decisions and refusals. */
final class RecordCodec {
  /** A reason's number is its place here. */
  private static final List<AbortReason> REASONS =
      List.of(
          AbortReason.STALE_READ,
          AbortReason.LOCK_TIMEOUT,
          AbortReason.MOVED,
          AbortReason.TOPOLOGY_CHANGED,
          AbortReason.SHARD_UNAVAILABLE);

  private RecordCodec() {}

  static void writeRecord(WireWriter out, Message.TxRecord record) {
    out.tid(record.tid());
    out.shard(record.shard());
    out.list(record.participants(), WireWriter::shard);
    out.clock(record.snapshot());
    writeFootprint(out, record.footprint());
    out.bool(record.onePhase());
    out.text(record.label());
  }

  static Message.TxRecord readRecord(WireReader in) {
    return new Message.TxRecord(
        in.tid(),
        in.shard(),
        in.list(WireReader::shard),
        in.clock(),
        readFootprint(in),
        in.bool(),
        in.text());
  }

  static void writeDecision(WireWriter out, Message.Decision decision) {
    out.tid(decision.tid());
    out.nullableClock(decision.clock());
    out.list(decision.participants(), WireWriter::shard);
    out.clock(decision.snapshot());
    out.list(decision.records(), RecordCodec::writeRecord);
  }

  static Message.Decision readDecision(WireReader in) {
    return new Message.Decision(
        in.tid(),
        in.nullableClock(),
        in.list(WireReader::shard),
        in.clock(),
        in.list(RecordCodec::readRecord));
  }

  static void writeRefusal(WireWriter out, Message.Refusal refusal) {
    out.varint(REASONS.indexOf(refusal.reason()));
    out.bool(refusal.key() != null);
    if (refusal.key() != null) {
      out.bytes(refusal.key().bytes());
    }
    out.nullableTid(refusal.other());
    out.bool(refusal.otherLabel() != null);
    if (refusal.otherLabel() != null) {
      out.text(refusal.otherLabel());
    }
    out.nullableBytes(refusal.header());
  }

  static Message.Refusal readRefusal(WireReader in) {
    return new Message.Refusal(
        REASONS.get(in.number(REASONS.size() - 1)),
        in.bool() ? in.key() : null,
        in.nullableTid(),
        in.bool() ? in.text() : null,
        in.nullableBytes());
  }

  private static void writeFootprint(WireWriter out, Footprint footprint) {
    out.list(footprint.reads(), RecordCodec::writeKeyRead);
    out.list(footprint.ranges(), RecordCodec::writeRangeRead);
    out.list(footprint.writes(), RecordCodec::writeWrite);
  }

  private static Footprint readFootprint(WireReader in) {
    return new Footprint(
        in.list(RecordCodec::readKeyRead),
        in.list(RecordCodec::readRangeRead),
        in.list(RecordCodec::readWrite));
  }

  private static void writeKeyRead(WireWriter out, Footprint.KeyRead read) {
    out.bytes(read.key().bytes());
    ReadCodec.writeSeen(out, read.seen());
  }

  private static Footprint.KeyRead readKeyRead(WireReader in) {
    return new Footprint.KeyRead(in.key(), ReadCodec.readSeen(in));
  }

  private static void writeRangeRead(WireWriter out, Footprint.RangeRead range) {
    out.eightBytes(range.kcl());
    out.bytes(range.from());
    out.nullableBytes(range.to());
    out.list(range.found(), RecordCodec::writeKeyRead);
  }

  private static Footprint.RangeRead readRangeRead(WireReader in) {
    return new Footprint.RangeRead(
        in.eightBytes(), in.bytes(), in.nullableBytes(), in.list(RecordCodec::readKeyRead));
  }

  private static void writeWrite(WireWriter out, Footprint.Write write) {
    out.bytes(write.key().bytes());
    out.nullableBytes(write.value());
    out.nullableTid(write.origin());
  }

  private static Footprint.Write readWrite(WireReader in) {
    return new Footprint.Write(in.key(), in.nullableBytes(), in.nullableTid());
  }
}
