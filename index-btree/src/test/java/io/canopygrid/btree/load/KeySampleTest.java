package io.canopygrid.btree.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.subtree.Keys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks what a sample tells about where a subtree is used. */
final class KeySampleTest {
  private static final byte[] LOWEST = {};

  private final KeySample sample = new KeySample();

  private static byte[] key(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }

  private void add(long key) {
    sample.add(key(key), 0);
  }

  /** The number of keys in front of each cut, and the number behind the last one. */
  private static int[] parts(List<byte[]> cuts, long... keys) {
    int[] parts = new int[cuts.size() + 1];
    for (long key : keys) {
      int part = 0;
      while (part < cuts.size() && Arrays.compareUnsigned(cuts.get(part), key(key)) <= 0) {
        part++;
      }
      parts[part]++;
    }
    return parts;
  }

  @Test
  void fewUsesSayNothing() {
    for (int key = 0; key < 15; key++) {
      add(key);
      assertThat(sample.cuts(LOWEST, null)).isEmpty();
    }
    add(15);
    assertThat(sample.cuts(LOWEST, null)).hasSize(SubtreeLoad.CUTS_MAX);
  }

  @Test
  void usesAreCutIntoPartsOfTheSameSize() {
    long[] keys = new long[64];
    for (int i = 0; i < 64; i++) {
      // Close together at one end: the cuts follow the uses, not the keys.
      keys[i] = (long) i * i * i;
      add(keys[i]);
    }
    List<byte[]> cuts = sample.cuts(LOWEST, null);
    assertThat(cuts).isSortedAccordingTo(Keys.ORDER).doesNotHaveDuplicates();
    assertThat(parts(cuts, keys)).containsExactly(8, 8, 8, 8, 8, 8, 8, 8);
  }

  @Test
  void oneHotKeyHasAPartWithLittleElse() {
    long[] keys = new long[64];
    for (int i = 0; i < 64; i++) {
      keys[i] = i < 12 ? 100 + i : i < 52 ? 500 : 900 + i;
      add(keys[i]);
    }
    List<byte[]> cuts = sample.cuts(LOWEST, null);
    assertThat(cuts).isSortedAccordingTo(Keys.ORDER).doesNotHaveDuplicates();
    assertThat(parts(cuts, 111, 500)).as("apart from what is below").doesNotContain(2);
    int most = Arrays.stream(parts(cuts, keys)).max().orElse(0);
    assertThat(most).as("its 40 uses, and less than an eighth of all").isBetween(40, 48);
  }

  @Test
  void whereOnlyOneKeyIsUsedThereIsNoCut() {
    for (int i = 0; i < 64; i++) {
      add(7);
    }
    assertThat(sample.cuts(LOWEST, null)).isEmpty();
  }

  @Test
  void onlyKeysOfTheRangeCountAndNoCutIsItsLowest() {
    for (int i = 0; i < 64; i++) {
      add(i);
    }
    List<byte[]> cuts = sample.cuts(key(16), key(48));
    assertThat(cuts)
        .isNotEmpty()
        .allMatch(cut -> Arrays.compareUnsigned(cut, key(16)) > 0)
        .allMatch(cut -> Arrays.compareUnsigned(cut, key(48)) < 0);
    assertThat(sample.cuts(key(60), null)).as("four keys only").isEmpty();
  }

  @Test
  void theLastUsesCountOnly() {
    for (int i = 0; i < 1_000; i++) {
      add(i);
    }
    List<byte[]> cuts = sample.cuts(LOWEST, null);
    assertThat(cuts)
        .as("of the last 64")
        .hasSize(SubtreeLoad.CUTS_MAX)
        .allMatch(cut -> Arrays.compareUnsigned(cut, key(1_000 - 64)) > 0);
    sample.clear();
    assertThat(sample.cuts(LOWEST, null)).isEmpty();
  }

  @Test
  void aKeyBeginsWhereItIsSaidAndALongOneIsCutOff() {
    for (int i = 0; i < 64; i++) {
      byte[] bytes = new byte[9 + 200];
      ByteBuffer.wrap(bytes).put(new byte[9]).putLong(i);
      Arrays.fill(bytes, 0, 9, (byte) -1);
      sample.add(bytes, 9);
    }
    List<byte[]> cuts = sample.cuts(LOWEST, key(64));
    assertThat(cuts).hasSize(SubtreeLoad.CUTS_MAX).allMatch(cut -> cut.length <= 64);
    assertThat(cuts.get(0)).isEqualTo(key(8));
  }
}
