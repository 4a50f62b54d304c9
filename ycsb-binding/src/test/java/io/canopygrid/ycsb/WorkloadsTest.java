package io.canopygrid.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkloadsTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
  void theSharesOfAWorkloadAddUpToOne(String name) {
    Properties workload = Workloads.load(name);

    double sum =
        Stream.of("read", "update", "scan", "insert", "readmodifywrite")
            .mapToDouble(kind -> Double.parseDouble(workload.getProperty(kind + "proportion", "0")))
            .sum();
    assertThat(sum).isCloseTo(1, within(1e-9));
    assertThat(workload.getProperty("workload")).isEqualTo(TransactionalWorkload.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "a, updateproportion, 0.5, zipfian",
    "b, updateproportion, 0.05, zipfian",
    "c, readproportion, 1, zipfian",
    "d, insertproportion, 0.05, latest",
    "e, scanproportion, 0.95, zipfian",
    "f, readmodifywriteproportion, 0.5, zipfian"
  })
  void workloadsAreThoseOfYcsb(String name, String property, String share, String distribution) {
    Properties workload = Workloads.load(name);

    assertThat(workload.getProperty(property)).isEqualTo(share);
    assertThat(workload.getProperty("requestdistribution")).isEqualTo(distribution);
  }

  @Test
  void anUnknownWorkloadIsRefused() {
    assertThatThrownBy(() -> Workloads.load("../a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[a, b, c, d, e, f]");
  }
}
