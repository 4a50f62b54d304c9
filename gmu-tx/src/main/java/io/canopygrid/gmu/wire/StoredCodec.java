package io.canopygrid.gmu.wire;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The protocol's values to bytes that are kept, and back. The fields are those of messages, with a
 * byte in front that says which form they have: what is on a disk may be older than the release
 * that reads it. Stateless and thread-safe.
 */
public final class StoredCodec {
  /** The form that is written. A change of the fields of messages needs another one. */
  private static final int FORM = 1;

  private StoredCodec() {}

  public static byte[] encodeRecord(TxRecord rec) {
    return encode(rec, RecordCodec::writeRecord);
  }

  /**
   * The record of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no record
   */
  public static TxRecord decodeRecord(byte[] bytes) {
    return decode(bytes, RecordCodec::readRecord);
  }

  public static byte[] encodeDecision(Decision decision) {
    return encode(decision, RecordCodec::writeDecision);
  }

  /**
   * The decision of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no decision
   */
  public static Decision decodeDecision(byte[] bytes) {
    return decode(bytes, RecordCodec::readDecision);
  }

  public static byte[] encodeClock(VectorClock clock) {
    return encode(clock, MessageWriter::writeClock);
  }

  /**
   * The clock of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no clock
   */
  public static VectorClock decodeClock(byte[] bytes) {
    return decode(bytes, MessageReader::readClock);
  }

  public static byte[] encodeTopology(Topology topology) {
    return encode(topology, TopologyCodec::writeTopology);
  }

  /**
   * The topology of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no topology
   */
  public static Topology decodeTopology(byte[] bytes) {
    return decode(bytes, TopologyCodec::readTopology);
  }

  public static byte[] encodeCuts(List<Cut> cuts) {
    return encode(cuts, (out, all) -> out.writeList(all, TopologyCodec::writeCut));
  }

  /**
   * The cuts of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no cuts
   */
  public static List<Cut> decodeCuts(byte[] bytes) {
    return decode(bytes, in -> in.readList(TopologyCodec::readCut));
  }

  private static <T> byte[] encode(T value, BiConsumer<MessageWriter, T> fields) {
    MessageWriter out = new MessageWriter();
    out.writeByte(FORM);
    fields.accept(out, value);
    return out.toBytes();
  }

  private static <T> T decode(byte[] bytes, Function<MessageReader, T> fields) {
    MessageReader in = new MessageReader(bytes, 0, bytes.length);
    int form = in.readByte();
    if (form != FORM) {
      throw new MalformedBytesException("of form " + form + ", this release reads form " + FORM);
    }
    T value = fields.apply(in);
    in.end();
    return value;
  }
}
