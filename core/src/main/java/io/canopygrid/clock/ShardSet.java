package io.canopygrid.clock;

import java.util.Arrays;

/**
 * A set of shard numbers, each at least 0, such as the shards that a transaction has read (hasRead
 * in GMU; Peluso et al., ICDCS 2012, section III). Immutable and thread-safe.
 */
public final class ShardSet {
  /** No shard. */
  public static final ShardSet EMPTY = new ShardSet(new long[0]);

  private final long[] words;

  private ShardSet(long[] words) {
    this.words = words;
  }

  /** The set of these bits: shard s is in it where bit {@code s % 64} of word {@code s / 64} is. */
  public static ShardSet ofWords(long[] words) {
    int size = words.length;
    while (size > 0 && words[size - 1] == 0) {
      size--;
    }
    return size == 0 ? EMPTY : new ShardSet(Arrays.copyOf(words, size));
  }

  /** A copy of the bits, see {@link #ofWords}. */
  public long[] toWords() {
    return words.clone();
  }

  /** Whether a shard, at least 0, is in it. */
  public boolean contains(int shard) {
    int word = shard >> 6;
    return word < words.length && (words[word] & 1L << shard) != 0;
  }

  /** Whether no shard is in it. */
  public boolean isEmpty() {
    return words.length == 0;
  }

  /** This set with one more shard, at least 0. */
  public ShardSet with(int shard) {
    if (shard < 0) {
      throw new IllegalArgumentException("must be >= 0: shard=" + shard);
    }
    if (contains(shard)) {
      return this;
    }
    long[] more = Arrays.copyOf(words, Math.max(words.length, (shard >> 6) + 1));
    more[shard >> 6] |= 1L << shard;
    return new ShardSet(more);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ShardSet s && Arrays.equals(words, s.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return java.util.BitSet.valueOf(words).toString();
  }
}
