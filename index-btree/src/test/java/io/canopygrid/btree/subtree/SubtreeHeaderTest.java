package io.canopygrid.btree.subtree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.InvariantViolation;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SubtreeHeaderTest {
  private static final byte[] B = {'b'};
  private static final byte[] M = {'m'};
  private static final byte[] X = {'x'};

  @Test
  void firstSubtreeCoversEverything() {
    SubtreeHeader first = SubtreeHeader.first(3, 64);
    assertThat(first.covers(new byte[0])).isTrue();
    assertThat(first.covers(new byte[] {-1, -1, -1})).isTrue();
    assertThat(first.closingFrom()).isNull();
  }

  @Test
  void readsBackWhatWasWritten() {
    long seed = 11;
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      SubtreeHeader header = random(random);
      SubtreeHeader again = SubtreeHeader.decode(header.encode());
      assertThat(again.toString()).as("seed %s step %s", seed, i).isEqualTo(header.toString());
      assertThat(again.entriesMax()).isEqualTo(header.entriesMax());
      assertThat(again.low()).isEqualTo(header.low());
      assertThat(again.high()).isEqualTo(header.high());
      assertThat(again.closingFrom()).isEqualTo(header.closingFrom());
    }
  }

  @Test
  void halvesPartitionTheWhole() {
    SubtreeHeader whole = new SubtreeHeader(1, 8, B, X, 21, 23, 20, M);
    SubtreeHeader lower = whole.lowerPart(M, 99);
    SubtreeHeader upper = whole.upperPart(M, 22);
    assertThat(lower.low()).isEqualTo(B);
    assertThat(lower.high()).isEqualTo(upper.low()).isEqualTo(M);
    assertThat(upper.high()).isEqualTo(X);
    assertThat(lower.left()).isEqualTo(21);
    assertThat(lower.right()).isEqualTo(99);
    assertThat(upper.left()).isEqualTo(22);
    assertThat(upper.right()).isEqualTo(23);
    assertThat(lower.cameFrom()).isEqualTo(20);
    assertThat(upper.cameFrom()).isEqualTo(22);
    assertThat(lower.closingFrom()).isNull();
    assertThat(upper.closingFrom()).isNull();
  }

  @Test
  void refusesARangeThatIsNone() {
    assertThatThrownBy(() -> new SubtreeHeader(1, 8, M, B, 1, 2, 3, null))
        .isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> new SubtreeHeader(1, 8, B, X, 20, 21, 0, B))
        .isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> new SubtreeHeader(1, 8, B, X, 20, 21, 0, X))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void refusesAnotherVersion() {
    byte[] bytes = SubtreeHeader.first(1, 8).encode();
    bytes[0] = 9;
    assertThatThrownBy(() -> SubtreeHeader.decode(bytes)).isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> SubtreeHeader.decode(new byte[0]))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void kclsOfTopAndOfRecordsAreNoSubtrees() {
    assertThat(SubtreeHeader.isSubtree(0)).isFalse();
    assertThat(SubtreeHeader.isSubtree((1L << 32) - 1)).isFalse();
    assertThat(SubtreeHeader.isSubtree(1L << 32)).isTrue();
    assertThat(SubtreeHeader.isSubtree(-1)).isFalse();
    assertThat(SubtreeHeader.isSubtree(Long.MIN_VALUE)).isTrue();
  }

  /** A header with random fences over short keys of few letters, so that edges meet. */
  static SubtreeHeader random(Random random) {
    byte[][] keys = new byte[3][];
    do {
      for (int i = 0; i < 3; i++) {
        keys[i] = key(random);
      }
      Arrays.sort(keys, Keys.ORDER);
    } while (Arrays.equals(keys[0], keys[1]) || Arrays.equals(keys[1], keys[2]));
    byte[] low = random.nextInt(4) == 0 ? new byte[0] : keys[0];
    byte @Nullable [] high = random.nextInt(4) == 0 ? null : keys[2];
    byte @Nullable [] closing = random.nextBoolean() || keys[1].length == 0 ? null : keys[1];
    return new SubtreeHeader(
        random.nextInt(100),
        1 + random.nextInt(100),
        low,
        high,
        low.length == 0 ? SubtreeHeader.NONE : 100 + random.nextInt(100),
        high == null ? SubtreeHeader.NONE : random.nextLong() | 16,
        random.nextLong(),
        closing);
  }

  static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(3) * 127);
    }
    return key;
  }
}
