package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ycsb.bench.BenchResult.Kind;
import io.canopygrid.ycsb.bench.BenchResult.Percentiles;
import io.canopygrid.ycsb.bench.BenchResult.Traffic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BenchResultTest {
  private static final BenchResult RESULT =
      new BenchResult(
          "f",
          4,
          20_000,
          1_500,
          0.75,
          0.3,
          Map.of(
              Kind.READ, new Percentiles(80, 200, 900, 1_500),
              Kind.READ_MODIFY_WRITE, new Percentiles(300, 700, 2_000, 9_000)),
          2,
          17,
          1.234,
          new Traffic(1.23456, 19, 3));

  @Test
  void theLineHasTheFieldsInTheirOrder() {
    assertThat(RESULT.line())
        .isEqualTo(
            "peer=canopy workload=f threads=4 records=20000 operations=1500 seconds=0.75"
                + " ops_s=2000.0 cpu_us=200.0 read_p50=80 read_p95=200 read_p99=900 read_p999=1500"
                + " update_p50=- update_p95=- update_p99=- update_p999=-"
                + " insert_p50=- insert_p95=- insert_p99=- insert_p999=-"
                + " scan_p50=- scan_p95=- scan_p99=- scan_p999=-"
                + " rmw_p50=300 rmw_p95=700 rmw_p99=2000 rmw_p999=9000 errors=2 retries=17"
                + " load=1.23 remote_requests_per_tx=1.235 aborts=19 redirects=3");
  }

  @Test
  void theJsonObjectHasTheSameFieldsWithTypes() {
    assertThat(RESULT.json())
        .startsWith("{\"peer\": \"canopy\", \"workload\": \"f\", \"threads\": 4, ")
        .contains(
            "\"ops_s\": 2000.0, ",
            "\"update_p50\": null, ",
            "\"rmw_p99\": 2000, ",
            "\"rmw_p999\": 9000, ")
        .endsWith("\"redirects\": 3}")
        .doesNotContain("\n");
    assertThat(RESULT.fields().keySet())
        .allSatisfy(name -> assertThat(RESULT.json()).contains("\"" + name + "\": "));
  }

  @Test
  void theTableHasOneRowForEachResult() {
    List<String> lines = ResultTable.lines(List.of(RESULT, RESULT));

    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).contains("workload", "ops/s", "rmw µs", "remote/tx");
    assertThat(lines.get(2)).contains("f/4", "2000.0", "300/700/2000/9000", "1.235");
  }

  @Test
  void withoutOperationsNothingIsDividedByZero() {
    BenchResult none =
        new BenchResult("a", 1, 1, 0, 0.5, 0.1, Map.of(), 0, 0, -1, new Traffic(0, 0, 0));

    assertThat(none.line()).contains("ops_s=0.0", "cpu_us=0.0", "load=-1.00");
  }
}
