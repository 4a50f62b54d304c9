package io.canopygrid.gmu.wire;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends the fields of one message: those that the project's byte writer knows, and ids, clocks
 * and shards. Confined to one thread.
 */
final class MessageWriter extends ByteWriter {
  private static final int FIRST_CAPACITY = 128;

  /** The first clock written. Most messages have no other, so there is no map for it alone. */
  private @Nullable VectorClock firstClock;

  /**
   * The further clocks and their numbers, from 2 on. By identity, since a transaction shares its
   * clocks.
   */
  private @Nullable IdentityHashMap<VectorClock, Integer> moreClocks;

  MessageWriter() {
    super(FIRST_CAPACITY);
  }

  void writeFlag(boolean flag) {
    writeByte(flag ? 1 : 0);
  }

  void writeShard(int shard) {
    writeVarLong(shard);
  }

  void writeNullableBytes(byte @Nullable [] value) {
    if (value == null) {
      writeVarLong(0);
    } else {
      writeVarLong(value.length + 1L);
      writeRaw(value);
    }
  }

  <T> void writeList(List<T> values, BiConsumer<MessageWriter, T> element) {
    writeVarLong(values.size());
    for (T value : values) {
      element.accept(this, value);
    }
  }

  void writeTid(TxId tid) {
    writeLong(tid.coordinator().value());
    writeVarLong(tid.counter());
  }

  void writeNullableTid(@Nullable TxId tid) {
    writeFlag(tid != null);
    if (tid != null) {
      writeTid(tid);
    }
  }

  void writeClock(VectorClock clock) {
    int number = numberOf(clock);
    writeVarLong(number);
    if (number == 0) {
      ClockBytes.write(this, clock);
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

  void writeNullableClock(@Nullable VectorClock clock) {
    writeFlag(clock != null);
    if (clock != null) {
      writeClock(clock);
    }
  }

  void writeShards(ShardSet shards) {
    long[] words = shards.toWords();
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    writeVarLong(count);
    int previous = -1;
    for (int i = 0; i < words.length; i++) {
      for (long left = words[i]; left != 0; left &= left - 1) {
        int shard = i * Long.SIZE + Long.numberOfTrailingZeros(left);
        writeVarLong(shard - previous - 1L);
        previous = shard;
      }
    }
  }
}
