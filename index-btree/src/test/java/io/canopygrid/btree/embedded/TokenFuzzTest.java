package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import org.junit.jupiter.api.Test;

/**
 * A short run of {@link TokenFuzz}. {@code -Dcanopy.fuzz.inputs=10000000} makes it longer, {@code
 * -Dcanopy.fuzz.seed} another one.
 */
final class TokenFuzzTest {
  private static final long INPUTS = Long.getLong("canopy.fuzz.inputs", 20_000);
  private static final long SEED = Long.getLong("canopy.fuzz.seed", 1);

  @Test
  void whateverTokenComesHarmsNobody() {
    try (TokenFuzz fuzz = new TokenFuzz(SEED)) {
      fuzz.run(INPUTS);
      System.out.printf("%d inputs from seed %d: %s%n", INPUTS, SEED, fuzz.ends());
      assertThat(fuzz.ends())
          .as("seed=%d", SEED)
          .containsKeys(
              "bytes " + ErrorCode.INVALID_TOKEN,
              "clock taken",
              "clock " + ErrorCode.INVALID_TOKEN,
              "other grid " + ErrorCode.INVALID_TOKEN,
              "position taken",
              "position " + ErrorCode.INVALID_TOKEN,
              "position bytes " + ErrorCode.INVALID_TOKEN);
    }
  }
}
