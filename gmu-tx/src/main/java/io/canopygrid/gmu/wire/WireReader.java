package io.canopygrid.gmu.wire;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes values from bytes that may be anything: each reading either succeeds or throws {@link
 * WireException}, and allocates no more than a small multiple of the bytes there are. Not
 * thread-safe.
 */
final class WireReader {
  /** Shard numbers are below this. */
  static final int SHARDS_MAX = 1 << 16;

  private final byte[] bytes;
  private final int end;
  private int at;
  private final List<VectorClock> clocks = new ArrayList<>(2);

  /** Reads {@code length} bytes from {@code offset} on, which must be within the array. */
  WireReader(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  private int left() {
    return end - at;
  }

  /** Checks that everything was read. */
  void expectEnd() {
    if (at != end) {
      throw new WireException(left() + " bytes too many");
    }
  }

  int oneByte() {
    if (at == end) {
      throw new WireException("bytes end within a message");
    }
    return bytes[at++] & 0xFF;
  }

  boolean bool() {
    int value = oneByte();
    if (value > 1) {
      throw new WireException("neither true nor false: " + value);
    }
    return value == 1;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = oneByte();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new WireException("a number of more than ten bytes");
  }

  /** A number from 0 to {@code max}. */
  int number(int max) {
    long value = varint();
    if (value < 0 || value > max) {
      throw new WireException("out of range: " + Long.toUnsignedString(value) + " > " + max);
    }
    return (int) value;
  }

  int shard() {
    return number(SHARDS_MAX - 1);
  }

  long eightBytes() {
    if (left() < Long.BYTES) {
      throw new WireException("bytes end within a message");
    }
    long value = ByteBuffer.wrap(bytes, at, Long.BYTES).getLong();
    at += Long.BYTES;
    return value;
  }

  byte[] bytes() {
    return raw(number(left()));
  }

  byte @Nullable [] nullableBytes() {
    int length = number(Integer.MAX_VALUE) - 1;
    return length < 0 ? null : raw(length);
  }

  private byte[] raw(int length) {
    if (length > left()) {
      throw new WireException("bytes end within a message");
    }
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  CompositeKey key() {
    byte[] key = bytes();
    if (key.length < CompositeKey.KCL_BYTES) {
      throw new WireException("a key of " + key.length + " bytes");
    }
    return CompositeKey.ofBytes(key);
  }

  /** A list, each of whose elements takes a byte at least. */
  <T> List<T> list(Function<WireReader, T> element) {
    int size = number(left());
    List<T> values = new ArrayList<>(Math.min(size, 16));
    for (int i = 0; i < size; i++) {
      values.add(element.apply(this));
    }
    return values;
  }

  TxId tid() {
    return new TxId(new NodeId(eightBytes()), varint());
  }

  @Nullable TxId nullableTid() {
    return bool() ? tid() : null;
  }

  VectorClock clock() {
    int reference = number(clocks.size());
    if (reference > 0) {
      return clocks.get(reference - 1);
    }
    int size = number(left() / 2);
    int[] shards = new int[size];
    long[] numbers = new long[size];
    int previous = -1;
    for (int i = 0; i < size; i++) {
      previous = shardAfter(previous);
      shards[i] = previous;
      numbers[i] = varint();
      if (numbers[i] < 1) {
        throw new WireException("a sequence number below 1");
      }
    }
    VectorClock clock = VectorClock.of(shards, numbers);
    clocks.add(clock);
    return clock;
  }

  @Nullable VectorClock nullableClock() {
    return bool() ? clock() : null;
  }

  ShardSet shards() {
    int size = number(left());
    long[] words = {};
    int previous = -1;
    for (int i = 0; i < size; i++) {
      previous = shardAfter(previous);
      int word = previous / Long.SIZE;
      if (word >= words.length) {
        words = Arrays.copyOf(words, word + 1);
      }
      words[word] |= 1L << previous;
    }
    return ShardSet.ofWords(words);
  }

  private int shardAfter(int previous) {
    return previous + 1 + number(SHARDS_MAX - 2 - previous);
  }
}
