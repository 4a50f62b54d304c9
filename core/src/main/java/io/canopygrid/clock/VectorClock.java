package io.canopygrid.clock;

import java.util.Arrays;

/**
 * One sequence number per shard; a shard that is not named has 0. Immutable and thread-safe.
 *
 * <p>Clocks belong to shards, not to nodes as in GMU (Peluso et al., ICDCS 2012, section III), so
 * membership never touches a clock. Only the shards that have a number above 0 are stored, sorted:
 * a grid has hundreds of shards, most clocks name a few dozen.
 */
public final class VectorClock {
  /** The clock before everything: 0 for every shard. */
  public static final VectorClock ZERO = new VectorClock(new int[0], new long[0]);

  private final int[] shards;
  private final long[] sequenceNumbers;

  private VectorClock(int[] shards, long[] sequenceNumbers) {
    this.shards = shards;
    this.sequenceNumbers = sequenceNumbers;
  }

  /**
   * The clock with exactly these components.
   *
   * @param shards strictly ascending shard numbers, each at least 0; the arrays become the clock's
   * @param sequenceNumbers their sequence numbers, each at least 1
   */
  public static VectorClock of(int[] shards, long[] sequenceNumbers) {
    if (shards.length != sequenceNumbers.length) {
      throw new IllegalArgumentException(
          "as many shards as numbers: " + shards.length + " != " + sequenceNumbers.length);
    }
    for (int i = 0; i < shards.length; i++) {
      if (shards[i] < 0 || (i > 0 && shards[i] <= shards[i - 1])) {
        throw new IllegalArgumentException("shards must ascend: " + Arrays.toString(shards));
      }
      if (sequenceNumbers[i] < 1) {
        throw new IllegalArgumentException("must be >= 1: sn=" + sequenceNumbers[i]);
      }
    }
    return shards.length == 0 ? ZERO : new VectorClock(shards, sequenceNumbers);
  }

  /** The number of components above 0. */
  public int size() {
    return shards.length;
  }

  /** The shard of component i, 0 &lt;= i &lt; size(), ascending. */
  public int shardAt(int i) {
    return shards[i];
  }

  /** The sequence number of component i, 0 &lt;= i &lt; size(). */
  public long numberAt(int i) {
    return sequenceNumbers[i];
  }

  /** The sequence number of a shard. */
  public long get(int shard) {
    int i = Arrays.binarySearch(shards, shard);
    return i < 0 ? 0 : sequenceNumbers[i];
  }

  /** This clock with one component set. */
  public VectorClock with(int shard, long sequenceNumber) {
    if (shard < 0 || sequenceNumber < 1) {
      throw new IllegalArgumentException(
          "shard must be >= 0 and sn >= 1: shard=" + shard + " sn=" + sequenceNumber);
    }
    int i = Arrays.binarySearch(shards, shard);
    if (i >= 0) {
      if (sequenceNumbers[i] == sequenceNumber) {
        return this;
      }
      long[] numbers = sequenceNumbers.clone();
      numbers[i] = sequenceNumber;
      return new VectorClock(shards, numbers);
    }
    int at = -i - 1;
    int[] newShards = new int[shards.length + 1];
    long[] newNumbers = new long[shards.length + 1];
    System.arraycopy(shards, 0, newShards, 0, at);
    System.arraycopy(sequenceNumbers, 0, newNumbers, 0, at);
    newShards[at] = shard;
    newNumbers[at] = sequenceNumber;
    System.arraycopy(shards, at, newShards, at + 1, shards.length - at);
    System.arraycopy(sequenceNumbers, at, newNumbers, at + 1, shards.length - at);
    return new VectorClock(newShards, newNumbers);
  }

  /** The component-wise maximum; one of the two clocks itself where it already is the maximum. */
  public VectorClock join(VectorClock other) {
    if (other.precedesOrEquals(this)) {
      return this;
    }
    if (precedesOrEquals(other)) {
      return other;
    }
    int[] s = new int[shards.length + other.shards.length];
    long[] n = new long[s.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < shards.length || j < other.shards.length) {
      int a = i < shards.length ? shards[i] : Integer.MAX_VALUE;
      int b = j < other.shards.length ? other.shards[j] : Integer.MAX_VALUE;
      s[size] = Math.min(a, b);
      long x = a <= b ? sequenceNumbers[i++] : 0;
      long y = b <= a ? other.sequenceNumbers[j++] : 0;
      n[size++] = Math.max(x, y);
    }
    return new VectorClock(Arrays.copyOf(s, size), Arrays.copyOf(n, size));
  }

  /** The component-wise minimum. */
  public VectorClock meet(VectorClock other) {
    if (precedesOrEquals(other)) {
      return this;
    }
    if (other.precedesOrEquals(this)) {
      return other;
    }
    int[] s = new int[Math.min(shards.length, other.shards.length)];
    long[] n = new long[s.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < shards.length && j < other.shards.length) {
      if (shards[i] < other.shards[j]) {
        i++;
      } else if (shards[i] > other.shards[j]) {
        j++;
      } else {
        s[size] = shards[i];
        n[size++] = Math.min(sequenceNumbers[i++], other.sequenceNumbers[j++]);
      }
    }
    return size == 0 ? ZERO : new VectorClock(Arrays.copyOf(s, size), Arrays.copyOf(n, size));
  }

  /** The components that are greater than the other's: joined with that they give the join. */
  public VectorClock beyond(VectorClock other) {
    if (precedesOrEquals(other)) {
      return ZERO;
    }
    int[] s = new int[shards.length];
    long[] n = new long[shards.length];
    int size = 0;
    int j = 0;
    for (int i = 0; i < shards.length; i++) {
      while (j < other.shards.length && other.shards[j] < shards[i]) {
        j++;
      }
      boolean named = j < other.shards.length && other.shards[j] == shards[i];
      if (!named || other.sequenceNumbers[j] < sequenceNumbers[i]) {
        s[size] = shards[i];
        n[size++] = sequenceNumbers[i];
      }
    }
    return new VectorClock(Arrays.copyOf(s, size), Arrays.copyOf(n, size));
  }

  /** The components of some shards alone, and of one more. */
  public VectorClock on(ShardSet some, int one) {
    int[] s = new int[shards.length];
    long[] n = new long[shards.length];
    int size = 0;
    for (int i = 0; i < shards.length; i++) {
      if (shards[i] == one || some.contains(shards[i])) {
        s[size] = shards[i];
        n[size++] = sequenceNumbers[i];
      }
    }
    if (size == shards.length) {
      return this;
    }
    return size == 0 ? ZERO : new VectorClock(Arrays.copyOf(s, size), Arrays.copyOf(n, size));
  }

  /** The components with a number above this one, in whichever shard. */
  public VectorClock above(long number) {
    int[] s = new int[shards.length];
    long[] n = new long[shards.length];
    int size = 0;
    for (int i = 0; i < shards.length; i++) {
      if (sequenceNumbers[i] > number) {
        s[size] = shards[i];
        n[size++] = sequenceNumbers[i];
      }
    }
    if (size == shards.length) {
      return this;
    }
    return size == 0 ? ZERO : new VectorClock(Arrays.copyOf(s, size), Arrays.copyOf(n, size));
  }

  /** Whether every component of this clock is at most the other's. */
  @SuppressWarnings("ReferenceEquality") // the same clock is compared often, so it pays to ask
  public boolean precedesOrEquals(VectorClock other) {
    if (this == other) {
      return true;
    }
    if (shards.length > other.shards.length) {
      return false;
    }
    int differ = Arrays.mismatch(shards, other.shards);
    int alike = differ < 0 ? shards.length : differ;
    if (!isAtMost(other, alike)) {
      return false;
    }
    int j = alike;
    for (int i = alike; i < shards.length; i++) {
      while (j < other.shards.length && other.shards[j] < shards[i]) {
        j++;
      }
      if (j == other.shards.length
          || other.shards[j] != shards[i]
          || other.sequenceNumbers[j] < sequenceNumbers[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the first so many numbers, of the same shards, are at most the other's. Clocks that are
   * compared mostly name the same shards, with few numbers that differ: the JVM passes over what is
   * the same several at a time.
   */
  private boolean isAtMost(VectorClock other, int count) {
    long[] mine = sequenceNumbers;
    long[] others = other.sequenceNumbers;
    int first = Arrays.mismatch(mine, 0, count, others, 0, count);
    for (int i = first; i >= 0 && i < count; i++) {
      if (mine[i] > others[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether both clocks name the same shards. */
  @SuppressWarnings("ReferenceEquality") // clocks that follow each other share the array
  public boolean namesShardsOf(VectorClock other) {
    return shards == other.shards || Arrays.equals(shards, other.shards);
  }

  /**
   * The first component from one on whose number is not the other's.
   *
   * @param other names the same shards
   * @param from at least 0 and at most {@link #size()}
   * @return {@link #size()}: there is none
   */
  public int nextDifference(VectorClock other, int from) {
    int size = sequenceNumbers.length;
    int found = Arrays.mismatch(sequenceNumbers, from, size, other.sequenceNumbers, from, size);
    return found < 0 ? size : from + found;
  }

  /**
   * This clock with other numbers for the same shards.
   *
   * @param numbers as many as there are components, each at least 1; the array becomes the clock's
   */
  public VectorClock withNumbers(long[] numbers) {
    if (numbers.length != shards.length) {
      throw new IllegalArgumentException(
          "as many numbers as shards: " + numbers.length + " != " + shards.length);
    }
    for (long number : numbers) {
      if (number < 1) {
        throw new IllegalArgumentException("must be >= 1: sn=" + number);
      }
    }
    return numbers.length == 0 ? ZERO : new VectorClock(shards, numbers);
  }

  /** Whether this clock's components of the given shards are at most the other's. */
  public boolean precedesOrEqualsOn(ShardSet some, VectorClock other) {
    int j = 0;
    for (int i = 0; i < shards.length; i++) {
      if (!some.contains(shards[i])) {
        continue;
      }
      while (j < other.shards.length && other.shards[j] < shards[i]) {
        j++;
      }
      if (j == other.shards.length
          || other.shards[j] != shards[i]
          || other.sequenceNumbers[j] < sequenceNumbers[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof VectorClock c
        && Arrays.equals(shards, c.shards)
        && Arrays.equals(sequenceNumbers, c.sequenceNumbers);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(shards) + Arrays.hashCode(sequenceNumbers);
  }

  /** For people: {@code {3:17, 8:2}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < shards.length; i++) {
      text.append(i == 0 ? "" : ", ").append(shards[i]).append(':').append(sequenceNumbers[i]);
    }
    return text.append('}').toString();
  }
}
