package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.message.Message;
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
          AbortReason.SHARD_UNAVAILABLE,
          AbortReason.TOO_OLD,
          AbortReason.DISK_FULL,
          AbortReason.DISK_SLOW);

  private RecordCodec() {}

  static void writeRecord(MessageWriter out, Message.TxRecord record) {
    out.writeTid(record.tid());
    out.writeShard(record.shard());
    out.writeList(record.participants(), MessageWriter::writeShard);
    out.writeClock(record.snapshot());
    writeFootprint(out, record.footprint());
    out.writeFlag(record.onePhase());
    out.writeText(record.label());
  }

  static Message.TxRecord readRecord(MessageReader in) {
    return new Message.TxRecord(
        in.readTid(),
        in.readShard(),
        in.readList(MessageReader::readShard),
        in.readClock(),
        readFootprint(in),
        in.readFlag(),
        in.readText());
  }

  static void writeDecision(MessageWriter out, Message.Decision decision) {
    out.writeTid(decision.tid());
    out.writeNullableClock(decision.clock());
    out.writeList(decision.participants(), MessageWriter::writeShard);
    out.writeClock(decision.snapshot());
    out.writeList(decision.records(), RecordCodec::writeRecord);
  }

  static Message.Decision readDecision(MessageReader in) {
    return new Message.Decision(
        in.readTid(),
        in.readNullableClock(),
        in.readList(MessageReader::readShard),
        in.readClock(),
        in.readList(RecordCodec::readRecord));
  }

  static void writeRefusal(MessageWriter out, Message.Refusal refusal) {
    out.writeVarLong(REASONS.indexOf(refusal.reason()));
    out.writeFlag(refusal.key() != null);
    if (refusal.key() != null) {
      out.writeBytes(refusal.key().bytes());
    }
    out.writeNullableTid(refusal.other());
    out.writeFlag(refusal.otherLabel() != null);
    if (refusal.otherLabel() != null) {
      out.writeText(refusal.otherLabel());
    }
    out.writeNullableBytes(refusal.header());
  }

  static Message.Refusal readRefusal(MessageReader in) {
    return new Message.Refusal(
        REASONS.get(in.readCount(REASONS.size() - 1)),
        in.readFlag() ? in.readKey() : null,
        in.readNullableTid(),
        in.readFlag() ? in.readText() : null,
        in.readNullableBytes());
  }

  private static void writeFootprint(MessageWriter out, Footprint footprint) {
    out.writeList(footprint.reads(), RecordCodec::writeKeyRead);
    out.writeList(footprint.ranges(), RecordCodec::writeRangeRead);
    out.writeList(footprint.writes(), RecordCodec::writeWrite);
  }

  private static Footprint readFootprint(MessageReader in) {
    return new Footprint(
        in.readList(RecordCodec::readKeyRead),
        in.readList(RecordCodec::readRangeRead),
        in.readList(RecordCodec::readWrite));
  }

  private static void writeKeyRead(MessageWriter out, Footprint.KeyRead read) {
    out.writeBytes(read.key().bytes());
    ReadCodec.writeSeen(out, read.seen());
  }

  private static Footprint.KeyRead readKeyRead(MessageReader in) {
    return new Footprint.KeyRead(in.readKey(), ReadCodec.readSeen(in));
  }

  private static void writeRangeRead(MessageWriter out, Footprint.RangeRead range) {
    out.writeLong(range.kcl());
    out.writeBytes(range.from());
    out.writeNullableBytes(range.to());
    out.writeList(range.found(), RecordCodec::writeKeyRead);
  }

  private static Footprint.RangeRead readRangeRead(MessageReader in) {
    return new Footprint.RangeRead(
        in.readLong(),
        in.readBytes(),
        in.readNullableBytes(),
        in.readList(RecordCodec::readKeyRead));
  }

  private static void writeWrite(MessageWriter out, Footprint.Write write) {
    out.writeBytes(write.key().bytes());
    out.writeValue(write.value());
    out.writeNullableTid(write.origin());
  }

  private static Footprint.Write readWrite(MessageReader in) {
    return new Footprint.Write(in.readKey(), in.readValue(), in.readNullableTid());
  }
}
