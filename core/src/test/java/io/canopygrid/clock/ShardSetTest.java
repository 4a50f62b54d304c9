package io.canopygrid.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The set against its twin, an array of booleans. */
final class ShardSetTest {
  private static final int SHARDS = 300;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void hasWhatWasAdded(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 100; run++) {
      boolean[] twin = new boolean[SHARDS];
      ShardSet set = ShardSet.EMPTY;
      for (int i = random.nextInt(40); i > 0; i--) {
        int shard = random.nextInt(SHARDS);
        ShardSet before = set;
        boolean was = twin[shard];
        set = set.with(shard);
        twin[shard] = true;
        assertThat(before.contains(shard)).as("seed=%d: immutable", seed).isEqualTo(was);
      }
      boolean any = false;
      for (int s = 0; s < SHARDS; s++) {
        any |= twin[s];
        assertThat(set.contains(s)).as("seed=%d shard=%d", seed, s).isEqualTo(twin[s]);
      }
      assertThat(set.contains(SHARDS + 1_000)).isFalse();
      assertThat(set.isEmpty()).as("seed=%d", seed).isEqualTo(!any);
      assertThat(ShardSet.ofWords(set.toWords()))
          .as("seed=%d", seed)
          .isEqualTo(set)
          .hasSameHashCodeAs(set);
    }
  }

  @Test
  void theOrderOfAddingDoesNotMatter() {
    assertThat(ShardSet.EMPTY.with(3).with(200)).isEqualTo(ShardSet.EMPTY.with(200).with(3));
    assertThat(ShardSet.EMPTY.with(3)).isNotEqualTo(ShardSet.EMPTY.with(67));
    assertThat(ShardSet.EMPTY.with(200).with(3)).hasToString("{3, 200}");
  }

  @Test
  void shardsAreNotNegative() {
    assertThatIllegalArgumentException().isThrownBy(() -> ShardSet.EMPTY.with(-1));
  }

  @Test
  void wordsAreTheCallersOwnAndZerosAtTheEndDoNotCount() {
    long[] words = {1L << 5, 0, 0};
    ShardSet set = ShardSet.ofWords(words);
    words[0] = 0;
    assertThat(set).isEqualTo(ShardSet.EMPTY.with(5));
    set.toWords()[0] = 0;
    assertThat(set.contains(5)).isTrue();
    assertThat(ShardSet.ofWords(new long[4])).isSameAs(ShardSet.EMPTY);
  }
}
