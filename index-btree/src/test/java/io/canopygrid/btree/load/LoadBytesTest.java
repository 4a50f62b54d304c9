package io.canopygrid.btree.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Loads as they go from node to node. */
final class LoadBytesTest {
  private static List<SubtreeLoad> loads(Random random, int count) {
    List<SubtreeLoad> loads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<byte[]> cuts = new ArrayList<>();
      for (int cut = random.nextInt(SubtreeLoad.CUTS_MAX + 1); cut > 0; cut--) {
        byte[] key = new byte[random.nextInt(65)];
        random.nextBytes(key);
        cuts.add(key);
      }
      loads.add(
          new SubtreeLoad(
              random.nextLong(),
              random.nextInt(1 << random.nextInt(31)),
              random.nextLong() >>> (1 + random.nextInt(60)),
              random.nextInt(1_000_000) / 1e3,
              random.nextInt(1_000_000) / 1e3,
              random.nextInt(1_000_000),
              cuts));
    }
    return loads;
  }

  @Test
  void whatIsSentArrives() {
    for (int seed = 0; seed < 200; seed++) {
      List<SubtreeLoad> loads = loads(new Random(seed), seed % 20);
      assertThat(LoadBytes.decode(LoadBytes.encode(loads)))
          .as("seed %s", seed)
          .usingRecursiveComparison()
          .isEqualTo(loads);
    }
  }

  @Test
  void ratesKeepThreeDecimals() {
    SubtreeLoad load = new SubtreeLoad(-5, 1, 2, 1234.56789, 0.0004, 3, List.of());
    SubtreeLoad arrived = LoadBytes.decode(LoadBytes.encode(List.of(load))).get(0);
    assertThat(arrived.readsPerSecond()).isEqualTo(1234.568);
    assertThat(arrived.writesPerSecond()).isZero();
  }

  @Test
  void aSubtreeTakesFewBytes() {
    SubtreeLoad quiet = new SubtreeLoad(Long.MIN_VALUE, 100, 10_000, 0, 0, 60_000, List.of());
    assertThat(LoadBytes.encode(List.of(quiet, quiet)).length).isLessThanOrEqualTo(2 * 20);
  }

  @Test
  void bytesThatAreNoneAreRefused() {
    byte[] whole = LoadBytes.encode(loads(new Random(1), 3));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> LoadBytes.decode(cut))
          .as("%s of %s bytes", length, whole.length)
          .isInstanceOf(MalformedBytesException.class);
    }
    assertThatThrownBy(() -> LoadBytes.decode(Arrays.copyOf(whole, whole.length + 1)))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void theTextHasTheKeys() {
    SubtreeLoad load = new SubtreeLoad(7, 1, 2, 3, 4, 5, List.of(new byte[] {1, -1}));
    assertThat(load.toString()).contains("kcl=7").contains("cuts=[01ff]");
  }
}
