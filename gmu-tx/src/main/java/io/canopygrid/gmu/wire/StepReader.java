package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;

/**
 * Reads the records of a {@link StepWriter}, all of them, in their order. Confined to one thread.
 */
public final class StepReader {
  private final RecordHistory history = new RecordHistory();

  /** For records that nothing is in front of. */
  public StepReader() {}

  /**
   * The changes of the next record, in their order.
   *
   * @throws MalformedBytesException the bytes are no record; nothing more may be read
   */
  public List<StorageChange> decode(byte[] bytes, int offset, int length) {
    MessageReader in = new MessageReader(bytes, offset, length, history);
    int form = in.readByte();
    if (form != StepWriter.FORM) {
      throw new MalformedBytesException(
          "of form " + form + ", this release reads form " + StepWriter.FORM);
    }
    List<StorageChange> changes = in.readList(StepReader::read);
    in.end();
    return changes;
  }

  private static StorageChange read(MessageReader in) {
    int kind = in.readByte();
    return switch (kind) {
      case StepWriter.BEGIN_COPY -> new StorageChange.BeginCopy(in.readShard());
      case StepWriter.COMPLETE_COPY -> new StorageChange.CompleteCopy(in.readShard());
      case StepWriter.END_COPY -> new StorageChange.EndCopy(in.readShard());
      case StepWriter.PUT_VERSION -> readVersion(in);
      case StepWriter.DROP_VERSION ->
          new StorageChange.DropVersion(in.readShard(), in.readKey(), in.readLong(), in.readTid());
      case StepWriter.PUT_LOG ->
          new StorageChange.PutLog(in.readShard(), in.readLong(), in.readTid(), in.readClock());
      case StepWriter.DROP_LOG ->
          new StorageChange.DropLog(in.readShard(), in.readLong(), in.readTid());
      case StepWriter.PUT_RECORD -> new StorageChange.PutRecord(RecordCodec.readRecord(in));
      case StepWriter.DROP_RECORD -> new StorageChange.DropRecord(in.readShard(), in.readTid());
      case StepWriter.PUT_DECISION -> new StorageChange.PutDecision(RecordCodec.readDecision(in));
      case StepWriter.DROP_DECISION -> new StorageChange.DropDecision(in.readTid());
      case StepWriter.PUT_MARK ->
          new StorageChange.PutMark(new NodeId(in.readLong()), in.readVarLong());
      case StepWriter.PUT_TOPOLOGY -> readTopology(in);
      case StepWriter.PUT_INSTALLED_BY_ALL -> new StorageChange.PutInstalledByAll(in.readVarLong());
      case StepWriter.PUT_HORIZON -> new StorageChange.PutHorizon(in.readClock());
      case StepWriter.PUT_USER -> new StorageChange.PutUser(new NodeId(in.readLong()));
      case StepWriter.PUT_PROMISE -> new StorageChange.PutPromise(in.readVarLong());
      case StepWriter.RESUME_COPY -> new StorageChange.ResumeCopy(in.readShard());
      case StepWriter.PUT_WATERMARK ->
          new StorageChange.PutWatermark(in.readShard(), in.readVarLong(), in.readLong());
      case StepWriter.PUT_CUTS -> new StorageChange.PutCuts(in.readList(TopologyCodec::readCut));
      default -> throw new MalformedBytesException("no kind of change: " + kind);
    };
  }

  private static StorageChange readVersion(MessageReader in) {
    int shard = in.readShard();
    CompositeKey key = in.readKey();
    long number = in.readLong();
    TxId tid = in.readTid();
    TxId other = in.readNullableTid();
    return new StorageChange.PutVersion(
        shard, key, number, tid, other == null ? tid : other, in.readValue());
  }

  private static StorageChange readTopology(MessageReader in) {
    Topology topology = TopologyCodec.readTopology(in);
    List<Topology> over = in.readFlag() ? in.readList(TopologyCodec::readTopology) : null;
    return new StorageChange.PutTopology(topology, over);
  }
}
