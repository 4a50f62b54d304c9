package io.canopygrid.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short run of {@link WireFuzz}. */
final class WireFuzzTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whateverComesIsDecodedOrRefused(long seed) {
    WireFuzz fuzz = new WireFuzz(seed);
    fuzz.run(100_000);
    assertThat(fuzz.decoded()).as("seed=%d", seed).isGreaterThan(1_000);
    assertThat(fuzz.refused()).as("seed=%d", seed).isGreaterThan(1_000);
  }
}
