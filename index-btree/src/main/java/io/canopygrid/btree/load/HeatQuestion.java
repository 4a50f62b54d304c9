package io.canopygrid.btree.load;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks how much ranges of keys of an index were used, by steps of time. The arrays are not to be
 * changed.
 *
 * @param index the number of the index
 * @param steps how many, from now back: 1 to {@value LoadHistory#STEPS_MAX}
 * @param lows the lowest key of each range, ascending: 1 to {@value #RANGES_MAX}; a range ends
 *     where the next one begins
 * @param high the lowest key above the last one; null: there is none
 */
public record HeatQuestion(int index, int steps, List<byte[]> lows, byte @Nullable [] high) {
  /** Most ranges. */
  public static final int RANGES_MAX = 256;

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException where something is out of bounds, or keys do not ascend
   */
  public HeatQuestion {
    lows = List.copyOf(lows);
    if (steps < 1 || steps > LoadHistory.STEPS_MAX) {
      throw new IllegalArgumentException("steps are 1 to " + LoadHistory.STEPS_MAX + ": " + steps);
    }
    if (lows.isEmpty() || lows.size() > RANGES_MAX) {
      throw new IllegalArgumentException("ranges are 1 to " + RANGES_MAX + ": " + lows.size());
    }
    for (int i = 1; i < lows.size(); i++) {
      if (Arrays.compareUnsigned(lows.get(i - 1), lows.get(i)) >= 0) {
        throw new IllegalArgumentException("the ranges' keys do not ascend at range " + i);
      }
    }
  }

  /** The bytes, as they go from node to node. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter(16 + 24 * lows.size());
    out.writeVarLong(index).writeVarLong(steps).writeVarLong(lows.size());
    lows.forEach(out::writeBytes);
    out.writeByte(high == null ? 0 : 1);
    if (high != null) {
      out.writeBytes(high);
    }
    return out.toBytes();
  }

  /**
   * The question of some bytes.
   *
   * @throws MalformedBytesException where they are none
   */
  public static HeatQuestion decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    long index = in.readVarLong();
    int steps = in.readCount(LoadHistory.STEPS_MAX);
    List<byte[]> lows = new ArrayList<>();
    for (int left = in.readCount(RANGES_MAX); left > 0; left--) {
      lows.add(in.readBytes());
    }
    byte[] high = in.readByte() == 0 ? null : in.readBytes();
    in.end();
    try {
      return new HeatQuestion(Math.toIntExact(index), steps, lows, high);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new MalformedBytesException("no question about heat: " + e.getMessage());
    }
  }
}
