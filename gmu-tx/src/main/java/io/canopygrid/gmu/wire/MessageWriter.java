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

  /** The clock from which the next one may differ little. */
  private @Nullable VectorClock lastClock;

  /** Null: the message stands for itself. */
  private final @Nullable RecordHistory history;

  MessageWriter() {
    super(FIRST_CAPACITY);
    history = null;
  }

  /** For a record that comes after others, in an array unless it is longer. */
  MessageWriter(RecordHistory history, byte[] bytes) {
    super(bytes);
    this.history = history;
    lastClock = history.lastClock();
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

  /**
   * A value of a key: where there are records before, 0 for none, or 1 and how many values ago it
   * was written, or its length and 2, and the value.
   */
  void writeValue(byte @Nullable [] value) {
    if (history == null || value == null) {
      writeNullableBytes(value);
      return;
    }
    long ago = history.agoOrAdd(value);
    if (ago > 0) {
      writeVarLong(1).writeVarLong(ago);
    } else {
      writeVarLong(value.length + 2L);
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

  /**
   * A clock: as the place of the same one before, in a message from the first one on, in a record
   * back from the last one; else as what differs from the one before where both name the same
   * shards, as those of neighbouring commits do; else whole.
   */
  void writeClock(VectorClock clock) {
    long place = history == null ? numberOf(clock) : history.agoOrAdd(clock);
    if (place > 0) {
      writeVarLong(place + 1);
      return;
    }
    VectorClock before = lastClock;
    if (before != null && clock.namesShardsOf(before)) {
      writeVarLong(1);
      ClockBytes.writeDifference(this, clock, before);
    } else {
      writeVarLong(0);
      ClockBytes.write(this, clock);
    }
    lastClock = clock;
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
