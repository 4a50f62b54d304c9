package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorkloadSpecTest {
  @Test
  void aListNamesWorkloadsAndPerhapsThreads() {
    assertThat(WorkloadSpec.parseList("a, B/1,f/16", 4))
        .containsExactly(
            new WorkloadSpec("a", 4), new WorkloadSpec("b", 1), new WorkloadSpec("f", 16));
  }

  @Test
  void allAreAllSix() {
    assertThat(WorkloadSpec.parseList("all", 2))
        .extracting(WorkloadSpec::workload)
        .containsExactly("a", "b", "c", "d", "e", "f");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""  | '' is no workload
          a,  | '' is no workload
          g   | 'g' is no workload
          a/  | '' in 'a/' is no number
          a/x | 'x' in 'a/x' is no number
          a/0 | threads must be from 1 to 1024
          a/1025 | threads must be from 1 to 1024
          """)
  void whatIsWrongIsNamed(String list, String message) {
    assertThatThrownBy(() -> WorkloadSpec.parseList(list, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(message);
  }
}
