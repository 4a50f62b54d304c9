package io.canopygrid.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.Operation.Kind;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keys and mixes. */
final class RecordsTest {
  private static final int OPERATIONS = 40_000;

  @Test
  void eachWorkloadMixesWhatItSays() {
    Map<Kind, Integer> kinds = mix(StudyWorkload.READ_DOMINATED);
    assertThat(share(kinds, Kind.GET)).isBetween(0.94, 0.96);
    assertThat(share(kinds, Kind.PUT)).isBetween(0.04, 0.06);
    assertThat(share(mix(StudyWorkload.BALANCED), Kind.PUT)).isBetween(0.48, 0.52);
    assertThat(share(mix(StudyWorkload.RMW), Kind.READ_MODIFY_WRITE)).isBetween(0.48, 0.52);
    assertThat(share(mix(StudyWorkload.SCAN_HEAVY), Kind.SCAN)).isBetween(0.94, 0.96);
    assertThat(share(mix(StudyWorkload.READ_ONLY), Kind.GET)).isEqualTo(1);
  }

  private static Map<Kind, Integer> mix(StudyWorkload workload) {
    ClientOperations client = new ClientOperations(workload, new Records(1_000), 3);
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    for (int i = 0; i < OPERATIONS; i++) {
      kinds.merge(client.next().kind(), 1, Integer::sum);
    }
    return kinds;
  }

  private static double share(Map<Kind, Integer> kinds, Kind kind) {
    return kinds.getOrDefault(kind, 0) / (double) OPERATIONS;
  }

  @Test
  void zipfAsksForTheHottestKeyAsOftenAsTheFormulaSays() {
    Records records = new Records(1_000);
    double zeta = 0;
    for (int i = 1; i <= 1_000; i++) {
      zeta += 1 / Math.pow(i, 0.99);
    }
    Map<ByteBuffer, Integer> counts = new HashMap<>();
    ClientOperations client = new ClientOperations(StudyWorkload.READ_ONLY, records, 5);
    for (int i = 0; i < OPERATIONS; i++) {
      counts.merge(ByteBuffer.wrap(client.next().key()), 1, Integer::sum);
    }
    double hottest = counts.values().stream().mapToInt(count -> count).max().orElse(0);
    // Two ranks can fall on one record, so it may be a little more.
    assertThat(hottest / OPERATIONS).isBetween(0.95 / zeta, 1.6 / zeta);
    assertThat(counts.size()).isGreaterThan(400);
  }

  @Test
  void insertsAreNewAndLatestReadsThem() {
    Records records = new Records(100);
    ClientOperations client = new ClientOperations(StudyWorkload.READ_LATEST, records, 9);
    Map<ByteBuffer, Integer> inserted = new HashMap<>();
    int found = 0;
    for (int i = 0; i < 10_000; i++) {
      Operation operation = client.next();
      ByteBuffer key = ByteBuffer.wrap(operation.key());
      if (operation.kind() == Kind.PUT) {
        assertThat(inserted.merge(key, 1, Integer::sum)).isEqualTo(1);
      } else if (inserted.containsKey(key)) {
        found++;
      }
    }
    assertThat(inserted.size()).isBetween(400, 600);
    assertThat(found).isGreaterThan(5_000);
  }

  @Test
  void whatIsNoWorkloadIsRefused() {
    assertThat(StudyWorkload.parse("paper")).hasSize(6);
    assertThat(StudyWorkload.parse("operations")).hasSize(5);
    assertThatThrownBy(() -> StudyWorkload.parse("Balanced,Fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Fast")
        .hasMessageContaining("Read-Latest");
  }
}
