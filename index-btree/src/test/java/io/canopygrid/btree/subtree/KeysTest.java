package io.canopygrid.btree.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class KeysTest {
  @Test
  void separatorIsTheShortestKeyBetween() {
    assertThat(separator("apple", "banana")).isEqualTo("b");
    assertThat(separator("user1299", "user1300")).isEqualTo("user13");
    assertThat(separator("user", "user1300")).isEqualTo("user1");
    assertThat(separator("", "x")).isEqualTo("x");
  }

  @Test
  void separatorSeparates() {
    long seed = 14;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      byte[] a = SubtreeHeaderTest.key(random);
      byte[] b = SubtreeHeaderTest.key(random);
      int order = Arrays.compareUnsigned(a, b);
      if (order == 0) {
        continue;
      }
      byte[] below = order < 0 ? a : b;
      byte[] above = order < 0 ? b : a;
      byte[] separator = Keys.separator(below, above);
      assertThat(Arrays.compareUnsigned(below, separator)).as("seed %s", seed).isNegative();
      assertThat(Arrays.compareUnsigned(separator, above)).as("seed %s", seed).isNotPositive();
    }
  }

  @Test
  void entryKeysKeepTheOrderAndComeAfterTheHeader() {
    byte[] ku = EntryKeys.ku(new byte[0]);
    assertThat(ku).containsExactly(1);
    assertThat(EntryKeys.userKey(EntryKeys.of(77, new byte[] {5, 6}))).containsExactly(5, 6);
    assertThat(EntryKeys.of(77, new byte[] {5, 6}).kcl()).isEqualTo(77);
    assertThat(EntryKeys.of(77, new byte[] {5, 6}).ku()).containsExactly(1, 5, 6);
    assertThat(EntryKeys.compare(EntryKeys.ku(new byte[] {5}), new byte[] {6})).isNegative();
  }

  private static String separator(String below, String above) {
    return new String(
        Keys.separator(
            below.getBytes(StandardCharsets.UTF_8), above.getBytes(StandardCharsets.UTF_8)),
        StandardCharsets.UTF_8);
  }
}
