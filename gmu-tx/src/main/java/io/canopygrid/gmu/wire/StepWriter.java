package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.StorageChange;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The changes of steps as bytes, one record after the other; {@link StepReader} reads them in the
 * same order. A record leaves out what those before have told: values and clocks. Confined to one
 * thread.
 */
public final class StepWriter {
  /** The form that is written. A change of the fields needs another one. */
  static final int FORM = 1;

  static final int BEGIN_COPY = 1;
  static final int COMPLETE_COPY = 2;
  static final int END_COPY = 3;
  static final int PUT_VERSION = 4;
  static final int DROP_VERSION = 5;
  static final int PUT_LOG = 6;
  static final int DROP_LOG = 7;
  static final int PUT_RECORD = 8;
  static final int DROP_RECORD = 9;
  static final int PUT_DECISION = 10;
  static final int DROP_DECISION = 11;
  static final int PUT_MARK = 12;
  static final int PUT_TOPOLOGY = 13;
  static final int PUT_INSTALLED_BY_ALL = 14;
  static final int PUT_HORIZON = 15;
  static final int PUT_USER = 16;
  static final int PUT_PROMISE = 17;
  static final int RESUME_COPY = 18;
  static final int PUT_WATERMARK = 19;
  static final int PUT_CUTS = 20;

  private static final int CAPACITY_MIN = 256;
  private static final int CAPACITY_MAX = 1 << 16;

  private final RecordHistory history = new RecordHistory();

  /**
   * The array of the record before, in which the next one is written; not an unusually long one.
   */
  private byte[] bytes = new byte[CAPACITY_MIN];

  /** For records that nothing is in front of. */
  public StepWriter() {}

  /**
   * The next record.
   *
   * @param steps the changes of some steps, in their order
   * @return from the buffer's position to its limit, with a backing array; not to be read once the
   *     next record is written
   */
  public ByteBuffer encode(List<List<StorageChange>> steps) {
    MessageWriter out = new MessageWriter(history, bytes);
    out.writeByte(FORM);
    int count = 0;
    for (List<StorageChange> step : steps) {
      count += step.size();
    }
    out.writeVarLong(count);
    for (List<StorageChange> step : steps) {
      for (StorageChange change : step) {
        write(out, change);
      }
    }
    bytes = out.array().length > CAPACITY_MAX ? new byte[CAPACITY_MIN] : out.array();
    return out.written();
  }

  private static void write(MessageWriter out, StorageChange change) {
    if (change instanceof StorageChange.PutVersion put) {
      out.writeByte(PUT_VERSION);
      out.writeShard(put.shard());
      out.writeBytes(put.key().bytes());
      out.writeLong(put.sequenceNumber());
      out.writeTid(put.tid());
      out.writeNullableTid(put.writer().equals(put.tid()) ? null : put.writer());
      out.writeValue(put.value());
    } else if (change instanceof StorageChange.DropVersion drop) {
      out.writeByte(DROP_VERSION);
      out.writeShard(drop.shard());
      out.writeBytes(drop.key().bytes());
      out.writeLong(drop.sequenceNumber());
      out.writeTid(drop.tid());
    } else if (change instanceof StorageChange.PutLog put) {
      out.writeByte(PUT_LOG);
      out.writeShard(put.shard());
      out.writeLong(put.sequenceNumber());
      out.writeTid(put.tid());
      out.writeClock(put.clock());
    } else if (change instanceof StorageChange.DropLog drop) {
      out.writeByte(DROP_LOG);
      out.writeShard(drop.shard());
      out.writeLong(drop.sequenceNumber());
      out.writeTid(drop.tid());
    } else if (change instanceof StorageChange.PutRecord put) {
      out.writeByte(PUT_RECORD);
      RecordCodec.writeRecord(out, put.rec());
    } else if (change instanceof StorageChange.DropRecord drop) {
      out.writeByte(DROP_RECORD);
      out.writeShard(drop.shard());
      out.writeTid(drop.tid());
    } else if (change instanceof StorageChange.PutDecision put) {
      out.writeByte(PUT_DECISION);
      RecordCodec.writeDecision(out, put.decision());
    } else {
      writeRest(out, change);
    }
  }

  private static void writeRest(MessageWriter out, StorageChange change) {
    if (change instanceof StorageChange.DropDecision drop) {
      out.writeByte(DROP_DECISION);
      out.writeTid(drop.tid());
    } else if (change instanceof StorageChange.BeginCopy begin) {
      out.writeByte(BEGIN_COPY);
      out.writeShard(begin.shard());
    } else if (change instanceof StorageChange.ResumeCopy resume) {
      out.writeByte(RESUME_COPY);
      out.writeShard(resume.shard());
    } else if (change instanceof StorageChange.PutWatermark put) {
      out.writeByte(PUT_WATERMARK);
      out.writeShard(put.shard());
      out.writeVarLong(put.topology());
      out.writeLong(put.number());
    } else if (change instanceof StorageChange.CompleteCopy complete) {
      out.writeByte(COMPLETE_COPY);
      out.writeShard(complete.shard());
    } else if (change instanceof StorageChange.EndCopy end) {
      out.writeByte(END_COPY);
      out.writeShard(end.shard());
    } else if (change instanceof StorageChange.PutMark mark) {
      out.writeByte(PUT_MARK);
      out.writeLong(mark.coordinator().value());
      out.writeVarLong(mark.below());
    } else if (change instanceof StorageChange.PutTopology put) {
      out.writeByte(PUT_TOPOLOGY);
      TopologyCodec.writeTopology(out, put.topology());
      List<Topology> over = put.over();
      out.writeFlag(over != null);
      if (over != null) {
        out.writeList(over, TopologyCodec::writeTopology);
      }
    } else if (change instanceof StorageChange.PutInstalledByAll all) {
      out.writeByte(PUT_INSTALLED_BY_ALL);
      out.writeVarLong(all.topology());
    } else if (change instanceof StorageChange.PutHorizon put) {
      out.writeByte(PUT_HORIZON);
      out.writeClock(put.horizon());
    } else if (change instanceof StorageChange.PutUser put) {
      out.writeByte(PUT_USER);
      out.writeLong(put.user().value());
    } else if (change instanceof StorageChange.PutPromise put) {
      out.writeByte(PUT_PROMISE);
      out.writeVarLong(put.topology());
    } else if (change instanceof StorageChange.PutCuts put) {
      out.writeByte(PUT_CUTS);
      out.writeList(put.cuts(), TopologyCodec::writeCut);
    } else {
      throw Invariant.violation("a change without a form: %s", change);
    }
  }
}
