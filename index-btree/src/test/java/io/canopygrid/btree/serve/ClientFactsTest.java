package io.canopygrid.btree.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.stats.Latency;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ClientFactsTest {
  private static final TransactionStats STATS =
      new TransactionStats(
          7,
          Map.of(ErrorCode.WRITE_CONFLICT, 3L, ErrorCode.INTERNAL_ERROR, 1L),
          11,
          5,
          2,
          new Latency(7, 1_000, 2_000, 3_000_000_000L, 4_000_000_000L));

  @Test
  void travelAsTheyAre() {
    ClientFacts facts =
        ClientFacts.of(
            new NodeId(-3),
            new CanopyStats(STATS, Map.of("", STATS, "päyment", STATS), Map.of()),
            new TreeMap<>(Map.of(1_000L, 6L, Long.MAX_VALUE, 1L)),
            Duration.ofMillis(1_234));

    assertThat(ClientFacts.decode(facts.encode())).isEqualTo(facts);
    assertThat(facts.total().aborts()).containsEntry(ErrorCode.WRITE_CONFLICT.number(), 3L);
    assertThat(facts.total().p99Nanos()).isEqualTo(3_000_000_000L);
    assertThat(facts.byLabel()).containsOnlyKeys("", "päyment");
    assertThat(facts.oldestMillis()).isEqualTo(1_234);
  }
}
