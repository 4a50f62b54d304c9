package io.canopygrid.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** All ranges between all byte strings of up to two of four bytes, against plain predicates. */
final class KeyRangeTest {
  private static final byte[] ALPHABET = {0, 1, (byte) 0xFE, (byte) 0xFF};
  private static final List<byte[]> STRINGS = strings(2);
  private static final List<byte[]> KEYS = strings(3);

  @Test
  void hasWhatIsBetweenItsBounds() {
    for (byte[] from : STRINGS) {
      assertKeys(KeyRange.of(from, null), between(from, null));
      for (byte[] to : STRINGS) {
        assertKeys(KeyRange.of(from, to), between(from, to));
      }
    }
  }

  @Test
  void startsWithItsPrefix() {
    for (byte[] prefix : STRINGS) {
      assertKeys(
          KeyRange.startingWith(prefix),
          key ->
              key.length >= prefix.length
                  && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length));
    }
  }

  @Test
  void isCutAtAKey() {
    for (byte[] from : STRINGS) {
      for (byte[] to : STRINGS) {
        KeyRange range = KeyRange.of(from, to);
        for (byte[] at : STRINGS) {
          assertKeys(
              range.above(at), between(from, to).and(key -> Arrays.compareUnsigned(key, at) > 0));
          assertKeys(
              range.below(at), between(from, to).and(key -> Arrays.compareUnsigned(key, at) < 0));
          assertKeys(
              range.intersect(KeyRange.of(at, null)), between(from, to).and(between(at, null)));
          assertKeys(
              KeyRange.of(at, null).intersect(range), between(from, to).and(between(at, null)));
        }
      }
    }
  }

  @Test
  void intersects() {
    for (byte[] a : STRINGS) {
      for (byte[] b : STRINGS) {
        KeyRange range = KeyRange.of(a, b);
        KeyRange other = KeyRange.of(new byte[] {0, 1}, new byte[] {(byte) 0xFE});
        assertKeys(
            range.intersect(other),
            between(a, b).and(between(new byte[] {0, 1}, new byte[] {(byte) 0xFE})));
      }
    }
    assertThat(KeyRange.ALL.intersect(KeyRange.ALL)).isSameAs(KeyRange.ALL);
  }

  @Test
  void oneEmptyRangeIsAsGoodAsAnother() {
    assertThat(KeyRange.of(new byte[] {2}, new byte[] {1})).isSameAs(KeyRange.EMPTY);
    assertThat(KeyRange.of(new byte[0], null)).isSameAs(KeyRange.ALL);
    assertThat(KeyRange.EMPTY.isEmpty()).isTrue();
    assertThat(KeyRange.ALL.isEmpty()).isFalse();
    assertThat(KeyRange.of(new byte[] {1}, new byte[] {2}))
        .isEqualTo(KeyRange.of(new byte[] {1}, new byte[] {2}))
        .hasSameHashCodeAs(KeyRange.of(new byte[] {1}, new byte[] {2}))
        .isNotEqualTo(KeyRange.of(new byte[] {1}, null))
        .hasToString("[01, 02)");
  }

  private static Predicate<byte[]> between(byte[] from, byte @Nullable [] to) {
    return key ->
        Arrays.compareUnsigned(from, key) <= 0
            && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  private static void assertKeys(KeyRange range, Predicate<byte[]> wanted) {
    boolean any = false;
    for (byte[] key : KEYS) {
      any |= wanted.test(key);
      if (range.contains(key) != wanted.test(key)) {
        assertThat(range.contains(key))
            .as("%s has %s", range, Arrays.toString(key))
            .isEqualTo(wanted.test(key));
      }
    }
    if (range.isEmpty()) {
      assertThat(any).as("empty: %s", range).isFalse();
    }
  }

  private static List<byte[]> strings(int length) {
    List<byte[]> all = new ArrayList<>(List.of(new byte[0]));
    int done = 0;
    for (int i = 0; i < length; i++) {
      int end = all.size();
      for (; done < end; done++) {
        for (byte b : ALPHABET) {
          byte[] longer = KeyRange.successor(all.get(done));
          longer[longer.length - 1] = b;
          all.add(longer);
        }
      }
    }
    return all;
  }
}
