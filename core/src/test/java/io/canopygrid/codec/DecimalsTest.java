package io.canopygrid.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All decimals of up to three digits near the point, over all pairs. */
final class DecimalsTest {
  @Test
  void allSmallDecimalsKeepTheirOrder() {
    List<BigDecimal> numbers = new ArrayList<>();
    for (int unscaled = -120; unscaled <= 120; unscaled++) {
      for (int scale = -3; scale <= 3; scale++) {
        numbers.add(BigDecimal.valueOf(unscaled, scale));
      }
    }
    List<byte[]> encoded = numbers.stream().map(Decimals::encode).toList();
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(Decimals.decode(encoded.get(i))).isEqualTo(numbers.get(i).stripTrailingZeros());
      for (int j = 0; j < numbers.size(); j++) {
        int wanted = numbers.get(i).compareTo(numbers.get(j));
        if (Integer.signum(Arrays.compareUnsigned(encoded.get(i), encoded.get(j))) != wanted) {
          assertThat(encoded.get(i))
              .as("%s and %s compare as %d", numbers.get(i), numbers.get(j), wanted)
              .isEqualTo(encoded.get(j));
        }
      }
    }
  }

  @Test
  void sizesAreAsDocumented() {
    assertThat(Decimals.encode(BigDecimal.ZERO)).containsExactly(0x80);
    assertThat(Decimals.encode(BigDecimal.ONE)).hasSize(5);
    assertThat(Decimals.encode(new BigDecimal("-123.45"))).hasSize(7);
    assertThat(Decimals.encode(new BigDecimal("1E30000"))).hasSize(5);
  }
}
