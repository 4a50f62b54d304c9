package io.canopygrid.gmu.wire;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Appends to a buffer that grows. Not thread-safe. */
final class WireWriter {
  private static final int FIRST_CAPACITY = 128;
  private static final int VARINT_BYTES_MAX = 10;

  private byte[] buffer = new byte[FIRST_CAPACITY];
  private int size;

  /** The first clock written. Most messages have no other, so there is no map for it alone. */
  private @Nullable VectorClock firstClock;

  /**
   * The further ones and their numbers, from 2 on. By identity: a transaction shares its clocks.
   */
  private @Nullable IdentityHashMap<VectorClock, Integer> moreClocks;

  /** What was written. */
  ByteBuffer written() {
    return ByteBuffer.wrap(buffer, 0, size);
  }

  private void reserve(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(size, more), 2 * size));
    }
  }

  void oneByte(int value) {
    reserve(1);
    buffer[size++] = (byte) value;
  }

  void bool(boolean value) {
    oneByte(value ? 1 : 0);
  }

  void varint(long value) {
    reserve(VARINT_BYTES_MAX);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
  }

  void shard(int shard) {
    varint(shard);
  }

  void eightBytes(long value) {
    reserve(Long.BYTES);
    ByteBuffer.wrap(buffer, size, Long.BYTES).putLong(value);
    size += Long.BYTES;
  }

  void bytes(byte[] value) {
    varint(value.length);
    raw(value);
  }

  void nullableBytes(byte @Nullable [] value) {
    if (value == null) {
      varint(0);
    } else {
      varint(value.length + 1L);
      raw(value);
    }
  }

  private void raw(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, buffer, size, value.length);
    size += value.length;
  }

  void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  <T> void list(List<T> values, BiConsumer<WireWriter, T> element) {
    varint(values.size());
    for (T value : values) {
      element.accept(this, value);
    }
  }

  void tid(TxId tid) {
    node(tid.coordinator());
    varint(tid.counter());
  }

  void nullableTid(@Nullable TxId tid) {
    bool(tid != null);
    if (tid != null) {
      tid(tid);
    }
  }

  private void node(NodeId node) {
    eightBytes(node.value());
  }

  void clock(VectorClock clock) {
    int number = numberOf(clock);
    varint(number);
    if (number > 0) {
      return;
    }
    varint(clock.size());
    int previous = -1;
    for (int i = 0; i < clock.size(); i++) {
      varint(clock.shardAt(i) - previous - 1L);
      varint(clock.numberAt(i));
      previous = clock.shardAt(i);
    }
  }

  /** The number of a clock that was written already, else 0. */
  @SuppressWarnings("ReferenceEquality") // cheaper, and enough
  private int numberOf(VectorClock clock) {
    if (clock == firstClock) {
      return 1;
    }
    if (firstClock == null) {
      firstClock = clock;
      return 0;
    }
    if (moreClocks == null) {
      moreClocks = new IdentityHashMap<>();
    }
    Integer number = moreClocks.putIfAbsent(clock, moreClocks.size() + 2);
    return number == null ? 0 : number;
  }

  void nullableClock(@Nullable VectorClock clock) {
    bool(clock != null);
    if (clock != null) {
      clock(clock);
    }
  }

  void shards(ShardSet shards) {
    long[] words = shards.toWords();
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    varint(count);
    int previous = -1;
    for (int i = 0; i < words.length; i++) {
      for (long left = words[i]; left != 0; left &= left - 1) {
        int shard = i * Long.SIZE + Long.numberOfTrailingZeros(left);
        varint(shard - previous - 1L);
        previous = shard;
      }
    }
  }
}
