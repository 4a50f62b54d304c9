package io.canopygrid.btree.crown;

import io.canopygrid.gmu.Pin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An index as it was at a pinned clock, below a clone (docs/internals/index.md, Clones).
 *
 * @param name that the index had then
 * @param number its number
 * @param firstSubtree the subtree that begins at the empty key
 * @param isClone whether its values are {@link MarkedValue}s
 * @param pin the clock, which the clone's pin holds ({@link ClonePin})
 */
public record CloneLayer(String name, int number, long firstSubtree, boolean isClone, Pin pin) {
  private static final int FIXED_BYTES = Short.BYTES + Integer.BYTES + Long.BYTES + 1;

  byte[] encode() {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    byte[] clock = pin.encode();
    return ByteBuffer.allocate(FIXED_BYTES + text.length + clock.length)
        .putShort((short) text.length)
        .put(text)
        .putInt(number)
        .putLong(firstSubtree)
        .put((byte) (isClone ? 1 : 0))
        .put(clock)
        .array();
  }

  static CloneLayer decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte[] text = new byte[in.getShort()];
    in.get(text);
    int number = in.getInt();
    long firstSubtree = in.getLong();
    boolean isClone = in.get() != 0;
    byte[] clock = new byte[in.remaining()];
    in.get(clock);
    String name = new String(text, StandardCharsets.US_ASCII);
    return new CloneLayer(name, number, firstSubtree, isClone, Pin.decode(clock));
  }
}
