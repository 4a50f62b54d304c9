package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class KeyBytesTest {
  private static final byte[] BYTES = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff};

  /** All keys of up to three of the bytes that matter, and some around the length of a head. */
  private static List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    keys.add(new byte[0]);
    for (int i = 0; keys.get(i).length < 3; i++) {
      for (byte b : BYTES) {
        keys.add(appended(keys.get(i), b));
      }
    }
    for (int length = 7; length <= 10; length++) {
      for (byte b : BYTES) {
        byte[] key = new byte[length];
        key[length - 1] = b;
        keys.add(key);
      }
    }
    return keys;
  }

  private static byte[] appended(byte[] key, byte b) {
    byte[] longer = Arrays.copyOf(key, key.length + 1);
    longer[key.length] = b;
    return longer;
  }

  @Test
  void headsAreInTheOrderOfTheKeys() {
    for (byte[] a : keys()) {
      for (byte[] b : keys()) {
        for (int offset = 0; offset <= KeyBytes.commonPrefix(a, b); offset++) {
          int heads = Long.compare(KeyBytes.head(a, offset), KeyBytes.head(b, offset));
          if (heads != 0) {
            assertThat(Integer.signum(heads))
                .as("%s, %s from %s", TreeTwin.hex(a), TreeTwin.hex(b), offset)
                .isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
          }
        }
      }
    }
  }

  @Test
  void headsOfKeysThatDifferWithinEightBytesDiffer() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] a = new byte[20];
      random.nextBytes(a);
      byte[] b = a.clone();
      int offset = random.nextInt(13);
      b[offset + random.nextInt(8)] ^= (byte) (1 << random.nextInt(8));
      assertThat(KeyBytes.head(a, offset)).as("case %s", i).isNotEqualTo(KeyBytes.head(b, offset));
    }
  }

  @Test
  void separatorsAreTheShortestThatSeparate() {
    for (byte[] a : keys()) {
      for (byte[] b : keys()) {
        if (Arrays.compareUnsigned(a, b) < 0) {
          byte[] separator = KeyBytes.separator(a, b);
          String what = TreeTwin.hex(a) + " | " + TreeTwin.hex(separator) + " | " + TreeTwin.hex(b);
          assertThat(Arrays.compareUnsigned(a, separator)).as(what).isNegative();
          assertThat(Arrays.compareUnsigned(separator, b)).as(what).isLessThanOrEqualTo(0);
          byte[] shorter = Arrays.copyOf(separator, separator.length - 1);
          assertThat(Arrays.compareUnsigned(a, shorter)).as(what).isNotNegative();
        }
      }
    }
  }

  @Test
  void commonPrefixEndsWithTheShorterKey() {
    assertThat(KeyBytes.commonPrefix(new byte[] {1, 2}, new byte[] {1, 2, 3})).isEqualTo(2);
    assertThat(KeyBytes.commonPrefix(new byte[] {1, 2}, new byte[] {1, 2})).isEqualTo(2);
    assertThat(KeyBytes.commonPrefix(new byte[0], new byte[] {1})).isZero();
    assertThat(KeyBytes.commonPrefix(new byte[] {1, 2}, new byte[] {1, 3})).isEqualTo(1);
  }
}
