package io.canopygrid.btree.crown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No number is given twice, whichever of the last entries cuts take. */
final class IndexNumbersTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noNumberIsGivenTwice(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte @Nullable []> stored = new ArrayList<>();
    stored.add(null);
    Set<Integer> given = new HashSet<>();
    int cuts = 0;
    while (cuts < 1_000) {
      if (random.nextInt(4) == 0) {
        cuts++;
        int kept = random.nextInt(1, stored.size() + 1);
        stored.subList(Math.max(kept, stored.size() - 50), stored.size()).clear();
      } else {
        byte[] before = stored.get(stored.size() - 1);
        IndexNumbers next = IndexNumbers.after(before, cuts);
        assertThat(given.add(next.last())).as("seed=%d cuts=%d %s", seed, cuts, next).isTrue();
        assertThat(IndexNumbers.decode(next.encode())).isEqualTo(next);
        stored.add(next.encode());
      }
    }
  }

  @Test
  void anEntryFromBeforeThereWereCutsIsUnderstood() {
    byte[] old = ByteBuffer.allocate(Integer.BYTES).putInt(7).array();
    assertThat(IndexNumbers.decode(old)).isEqualTo(new IndexNumbers(7, 0));
    assertThat(IndexNumbers.after(old, 0)).isEqualTo(new IndexNumbers(8, 0));
    assertThat(IndexNumbers.after(null, 0)).isEqualTo(new IndexNumbers(1, 0));
    assertThat(IndexNumbers.after(old, 2).last()).isEqualTo(8 + 2 * IndexNumbers.SKIPPED);
  }

  @Test
  void thereIsALastNumber() {
    byte[] last = new IndexNumbers(Integer.MAX_VALUE - 1, 3).encode();
    assertThat(IndexNumbers.after(last, 3).last()).isEqualTo(Integer.MAX_VALUE);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> IndexNumbers.after(last, 4))
        .withMessageContaining("all numbers");
  }
}
