package io.canopygrid.btree.feed;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import io.canopygrid.wire.MalformedBytesException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks a node for the changes of an index between two snapshots, in shards of which it is the
 * primary.
 *
 * @param index the number of the index
 * @param range the keys whose changes are wanted
 * @param from what is at or below this clock is known
 * @param upTo what is not at or below this clock is not wanted
 * @param above by shard the number up to which the commits between the two are known
 */
record FeedQuestion(
    int index, KeyRange range, VectorClock from, VectorClock upTo, Map<Integer, Long> above) {
  byte[] encode() {
    byte[] end = range.to();
    ByteWriter out = NodeBytes.begin(64 + 12 * (from.size() + above.size()));
    out.writeVarLong(index).writeBytes(range.from()).writeByte(end == null ? 0 : 1);
    if (end != null) {
      out.writeBytes(end);
    }
    ClockBytes.write(out, from);
    ClockBytes.write(out, upTo);
    out.writeVarLong(above.size());
    above.forEach((shard, number) -> out.writeVarLong(shard).writeVarLong(number));
    return out.toBytes();
  }

  static FeedQuestion decode(byte[] bytes) {
    return NodeBytes.decode(bytes, FeedQuestion::read);
  }

  private static FeedQuestion read(ByteReader in) {
    int index = in.readCount(Integer.MAX_VALUE);
    byte[] first = in.readBytes();
    byte[] end = in.readByte() == 0 ? null : in.readBytes();
    VectorClock from = ClockBytes.read(in);
    VectorClock upTo = ClockBytes.read(in);
    Map<Integer, Long> above = new LinkedHashMap<>();
    for (int left = in.readCount(ClockBytes.SHARDS_MAX); left > 0; left--) {
      int shard = in.readCount(ClockBytes.SHARDS_MAX);
      long number = in.readVarLong();
      if (number < 0) {
        throw new MalformedBytesException("a commit's number is below 0: " + number);
      }
      above.put(shard, number);
    }
    return new FeedQuestion(index, KeyRange.of(first, end), from, upTo, above);
  }
}
