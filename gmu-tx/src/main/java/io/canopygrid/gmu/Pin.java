package io.canopygrid.gmu;

import io.canopygrid.clock.VectorClock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A named snapshot, or a state of the past: an entry of TOP that holds the horizon at or below its
 * clock, so that the state of all shards at that clock can be read until the entry is deleted
 * (docs/protocol.md, Named snapshots).
 *
 * @param clock what is seen: the commits whose clock is at or below it, in all components
 * @param createdMillis when it was taken, by the taker's clock, since 1970
 */
public record Pin(VectorClock clock, long createdMillis) {
  /**
   * Names that begin with this are those of states of the past, and no name of a snapshot does
   * (docs/protocol.md, Time travel).
   */
  public static final byte MARK = '@';

  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 1 + Long.BYTES;
  private static final int COMPONENT_BYTES = Integer.BYTES + Long.BYTES;

  /** Where a pin is kept. */
  public static CompositeKey key(String name) {
    return ReservedKcl.PINS.key(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the pin with this ku is a state of the past. */
  public static boolean isMark(byte[] ku) {
    return ku[0] == MARK;
  }

  /** The name of the pin with this ku. */
  public static String name(byte[] ku) {
    return new String(ku, StandardCharsets.UTF_8);
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + COMPONENT_BYTES * clock.size());
    out.put(VERSION).putLong(createdMillis);
    for (int i = 0; i < clock.size(); i++) {
      out.putInt(clock.shardAt(i)).putLong(clock.numberAt(i));
    }
    return out.array();
  }

  /** The pin with these bytes. */
  public static Pin decode(byte[] bytes) {
    Invariant.holds(
        bytes.length >= FIXED_BYTES
            && (bytes.length - FIXED_BYTES) % COMPONENT_BYTES == 0
            && bytes[0] == VERSION,
        "a pin of version %s: %s bytes",
        VERSION,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    long createdMillis = in.getLong();
    int size = (bytes.length - FIXED_BYTES) / COMPONENT_BYTES;
    int[] shards = new int[size];
    long[] numbers = new long[size];
    for (int i = 0; i < size; i++) {
      shards[i] = in.getInt();
      numbers[i] = in.getLong();
    }
    return new Pin(VectorClock.of(shards, numbers), createdMillis);
  }
}
