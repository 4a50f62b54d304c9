package io.canopygrid.btree.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private static NodeLoad node(List<SubtreeLoad> loads, Map<Long, Double> uses) {
    return new NodeLoad(new NodeId(-7), loads, uses);
  }

  @Test
  void whatIsSentArrives() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Map<Long, Double> uses = new HashMap<>();
      for (int used = seed % 7; used > 0; used--) {
        uses.put(random.nextLong(), random.nextInt(1_000_000) / 1e3);
      }
      NodeLoad load = node(loads(random, seed % 20), uses);
      assertThat(LoadBytes.decode(LoadBytes.encode(load)))
          .as("seed %s", seed)
          .usingRecursiveComparison()
          .isEqualTo(load);
    }
  }

  @Test
  void ratesKeepThreeDecimals() {
    SubtreeLoad load = new SubtreeLoad(-5, 1, 2, 1234.56789, 0.0004, 3, List.of());
    SubtreeLoad arrived =
        LoadBytes.decode(LoadBytes.encode(node(List.of(load), Map.of()))).served().get(0);
    assertThat(arrived.readsPerSecond()).isEqualTo(1234.568);
    assertThat(arrived.writesPerSecond()).isZero();
  }

  @Test
  void aSubtreeTakesFewBytes() {
    SubtreeLoad quiet = new SubtreeLoad(Long.MIN_VALUE, 100, 10_000, 0, 0, 60_000, List.of());
    NodeLoad two = node(List.of(quiet, quiet), Map.of());
    NodeLoad used = node(List.of(quiet, quiet), Map.of(quiet.kcl(), 1_000.0));
    assertThat(LoadBytes.encode(two).length).isLessThanOrEqualTo(8 + 2 * 20);
    assertThat(LoadBytes.encode(used).length - LoadBytes.encode(two).length)
        .isLessThanOrEqualTo(8 + 3);
  }

  @Test
  void bytesThatAreNoneAreRefused() {
    byte[] whole = LoadBytes.encode(node(loads(new Random(1), 3), Map.of(3L, 4.0)));
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
