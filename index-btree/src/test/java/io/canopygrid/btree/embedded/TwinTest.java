package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.check.IndexCheck;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An index is equal to a TreeMap over long random runs with splits. */
final class TwinTest {
  @ParameterizedTest
  @CsvSource({"4, 4, 1, 1000", "5, 9, 2, 800", "16, 16, 3, 600", "64, 64, 4, 600"})
  void ofOneNode(int arity, int subtreeEntriesMax, long seed, int steps) {
    try (TestGrid grid = TestGrid.standalone(arity)) {
      Twin twin = new Twin(seed, grid, subtreeEntriesMax, 60 * subtreeEntriesMax);
      IndexCheck.Report report = twin.run(steps);
      twin.compareAll();
      assertThat(report.subtrees()).as("seed %s %s", seed, report).isGreaterThan(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 4, 5, 500", "16, 8, 6, 400", "64, 64, 7, 400"})
  void ofThreeNodes(int arity, int subtreeEntriesMax, long seed, int steps) {
    try (TestGrid grid = TestGrid.network(3, 2, 12, arity)) {
      Twin twin = new Twin(seed, grid, subtreeEntriesMax, 40 * subtreeEntriesMax);
      IndexCheck.Report report = twin.run(steps);
      twin.compareAll();
      assertThat(report.subtrees()).as("seed %s %s", seed, report).isGreaterThan(2);
    }
  }
}
