package io.canopygrid.btree.subtree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.InvariantViolation;
import java.util.Arrays;
import java.util.List;
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
    assertThat(first.closing()).isNull();
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
      assertThat(again.isRetired()).isEqualTo(header.isRetired());
      assertThat(again.schema()).isEqualTo(header.schema());
    }
  }

  @Test
  void aSchemaIsNeverLowered() {
    SubtreeHeader header = SubtreeHeader.first(1, 8).withSchema(5);
    assertThat(header.withSchema(3).schema()).isEqualTo(5);
    assertThat(header.withSchema(7).schema()).isEqualTo(7);
    assertThat(header.withHigh(M, 99).schema()).isEqualTo(5);
    assertThat(header.born(M, 22, 22).schema()).isEqualTo(5);
    assertThat(header.retired(77).schema()).isEqualTo(5);
  }

  @Test
  void aHeaderWithoutASchemaHasNoByteOfIt() {
    SubtreeHeader header = SubtreeHeader.first(1, 8);
    assertThat(header.encode()).hasSize(HeaderLayout.KEYS_AT);
    assertThat(header.withSchema(1).encode()).hasSize(HeaderLayout.KEYS_AT + Integer.BYTES);
  }

  @Test
  void partsPartitionTheWhole() {
    Closing upperHalf = new Closing(Closing.To.NEW, M);
    SubtreeHeader whole =
        new SubtreeHeader(1, 8, B, X, 21, 23, 20, upperHalf, SubtreeHeader.NONE, 0);
    assertThat(whole.closesWhole()).isFalse();
    SubtreeHeader lower = whole.withHigh(M, 99);
    SubtreeHeader upper = whole.born(M, 22, 22);
    assertThat(lower.low()).isEqualTo(B);
    assertThat(lower.high()).isEqualTo(upper.low()).isEqualTo(M);
    assertThat(upper.high()).isEqualTo(X);
    assertThat(lower.left()).isEqualTo(21);
    assertThat(lower.right()).isEqualTo(99);
    assertThat(upper.left()).isEqualTo(22);
    assertThat(upper.right()).isEqualTo(23);
    assertThat(lower.cameFrom()).isEqualTo(20);
    assertThat(upper.cameFrom()).isEqualTo(22);
    assertThat(lower.closing()).isNull();
    assertThat(upper.closing()).isNull();
    assertThat(lower.withLow(new byte[0], SubtreeHeader.NONE).covers(new byte[0])).isTrue();
  }

  @Test
  void leadsTowardsWhatItDoesNotCover() {
    SubtreeHeader header = new SubtreeHeader(1, 8, B, X, 21, 23, 20, null, SubtreeHeader.NONE, 0);
    assertThat(header.towards(new byte[] {'a'})).isEqualTo(21);
    assertThat(header.towards(X)).isEqualTo(23);
    assertThat(header.towardsBelow(B)).isEqualTo(21);
    assertThat(header.towardsBelow(null)).isEqualTo(23);
    SubtreeHeader retired = header.retired(77);
    assertThat(retired.covers(M)).isFalse();
    assertThat(retired.towards(M)).isEqualTo(77);
    assertThat(retired.towardsBelow(M)).isEqualTo(77);
  }

  @Test
  void allOfItMayGo() {
    SubtreeHeader header = new SubtreeHeader(1, 8, B, X, 21, 23, 20, null, SubtreeHeader.NONE, 0);
    assertThat(header.withClosing(new Closing(Closing.To.RIGHT, B)).closesWhole()).isTrue();
    assertThat(header.withClosing(new Closing(Closing.To.LEFT, X)).closesWhole()).isTrue();
    assertThat(header.withClosing(new Closing(Closing.To.LEFT, M)).closesWhole()).isFalse();
    SubtreeHeader last =
        new SubtreeHeader(1, 8, B, null, 21, SubtreeHeader.NONE, 20, null, SubtreeHeader.NONE, 0);
    assertThat(last.withClosing(new Closing(Closing.To.LEFT, null)).closesWhole()).isTrue();
    assertThatThrownBy(() -> last.withClosing(new Closing(Closing.To.RIGHT, M)))
        .isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> SubtreeHeader.first(1, 8).withClosing(new Closing(Closing.To.LEFT, M)))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void refusesRangesThatAreNone() {
    assertThatThrownBy(() -> new SubtreeHeader(1, 8, M, B, 1, 2, 3, null, 0, 0))
        .isInstanceOf(InvariantViolation.class);
    SubtreeHeader header = new SubtreeHeader(1, 8, B, X, 20, 21, 0, null, 0, 0);
    for (Closing none :
        new Closing[] {
          new Closing(Closing.To.NEW, X),
          new Closing(Closing.To.NEW, new byte[0]),
          new Closing(Closing.To.LEFT, B),
          new Closing(Closing.To.LEFT, null)
        }) {
      assertThatThrownBy(() -> header.withClosing(none)).isInstanceOf(InvariantViolation.class);
    }
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
    SubtreeHeader header =
        new SubtreeHeader(
            random.nextInt(100),
            1 + random.nextInt(100),
            low,
            high,
            low.length == 0 ? SubtreeHeader.NONE : 100 + random.nextInt(100),
            high == null ? SubtreeHeader.NONE : random.nextLong() | 16,
            random.nextLong(),
            null,
            SubtreeHeader.NONE,
            random.nextBoolean() ? 0 : random.nextInt(1 << 20));
    if (keys[1].length == 0 || random.nextInt(3) == 0) {
      return random.nextInt(4) == 0 ? header.retired(1 + random.nextInt(100)) : header;
    }
    Closing.To to =
        List.of(Closing.To.NEW, Closing.To.RIGHT, Closing.To.LEFT).get(random.nextInt(3));
    boolean none = to == Closing.To.LEFT ? low.length == 0 : to == Closing.To.RIGHT && high == null;
    boolean whole = random.nextInt(4) == 0;
    byte @Nullable [] all = to == Closing.To.LEFT ? high : low;
    return none ? header : header.withClosing(new Closing(to, whole ? all : keys[1], 3));
  }

  /** Whether a key is in the part that is about to go. */
  static boolean closes(SubtreeHeader header, byte[] key) {
    Closing part = header.closing();
    if (part == null) {
      return false;
    }
    byte[] at = part.at();
    boolean below = at == null || Arrays.compareUnsigned(key, at) < 0;
    return below == part.isLower();
  }

  static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(3) * 127);
    }
    return key;
  }
}
