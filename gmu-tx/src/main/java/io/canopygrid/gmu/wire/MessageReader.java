package io.canopygrid.gmu.wire;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ClockBytes;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one message: those that the project's byte reader knows, and ids, keys,
 * clocks and shards. It allocates no more than a small multiple of the bytes that it has. Confined
 * to one thread.
 */
final class MessageReader extends ByteReader {
  /** The clocks of this message so far, to which later ones may refer. */
  private final List<VectorClock> clocks = new ArrayList<>(2);

  private @Nullable VectorClock lastClock;

  /** Null: the message stands for itself. */
  private final @Nullable RecordHistory history;

  /** Reads {@code length} bytes from {@code offset} on, which must be within the array. */
  MessageReader(byte[] bytes, int offset, int length) {
    super(bytes, offset, offset + length);
    history = null;
  }

  /** Reads a record that comes after others. */
  MessageReader(byte[] bytes, int offset, int length, RecordHistory history) {
    super(bytes, offset, offset + length);
    this.history = history;
    lastClock = history.lastClock();
  }

  boolean readFlag() {
    int value = readByte();
    if (value > 1) {
      throw new MalformedBytesException("neither true nor false: " + value);
    }
    return value == 1;
  }

  int readShard() {
    return readCount(ClockBytes.SHARDS_MAX - 1);
  }

  byte @Nullable [] readNullableBytes() {
    int length = readCount(Integer.MAX_VALUE) - 1;
    return length < 0 ? null : readRaw(length);
  }

  /** A value that was written by {@link MessageWriter#writeValue}. */
  byte @Nullable [] readValue() {
    if (history == null) {
      return readNullableBytes();
    }
    int length = readCount(Integer.MAX_VALUE) - 2;
    if (length == -2) {
      return null;
    }
    if (length == -1) {
      return history.value(readVarLong());
    }
    byte[] value = readRaw(length);
    history.add(value);
    return value;
  }

  CompositeKey readKey() {
    byte[] key = readBytes();
    if (key.length < CompositeKey.KCL_BYTES) {
      throw new MalformedBytesException("a key of " + key.length + " bytes");
    }
    return CompositeKey.ofBytes(key);
  }

  /** A list, each of whose elements takes at least one byte. */
  <T> List<T> readList(Function<MessageReader, T> element) {
    int size = readCount(remaining());
    List<T> values = new ArrayList<>(Math.min(size, 16));
    for (int i = 0; i < size; i++) {
      values.add(element.apply(this));
    }
    return values;
  }

  TxId readTid() {
    return new TxId(new NodeId(readLong()), readVarLong());
  }

  @Nullable TxId readNullableTid() {
    return readFlag() ? readTid() : null;
  }

  VectorClock readClock() {
    int form = readCount(history == null ? clocks.size() + 1 : Integer.MAX_VALUE);
    if (form > 1) {
      return history == null ? clocks.get(form - 2) : history.clock(form - 1L);
    }
    VectorClock clock = form == 1 ? readDifference() : ClockBytes.read(this);
    lastClock = clock;
    if (history == null) {
      clocks.add(clock);
    } else {
      history.add(clock);
    }
    return clock;
  }

  private VectorClock readDifference() {
    if (lastClock == null) {
      throw new MalformedBytesException("the first clock differs from none");
    }
    return ClockBytes.readDifference(this, lastClock);
  }

  @Nullable VectorClock readNullableClock() {
    return readFlag() ? readClock() : null;
  }

  ShardSet readShards() {
    int size = readCount(remaining());
    long[] words = {};
    int shard = -1;
    for (int i = 0; i < size; i++) {
      shard += 1 + readCount(ClockBytes.SHARDS_MAX - 2 - shard);
      int word = shard / Long.SIZE;
      if (word >= words.length) {
        words = Arrays.copyOf(words, word + 1);
      }
      words[word] |= 1L << shard;
    }
    return ShardSet.ofWords(words);
  }
}
