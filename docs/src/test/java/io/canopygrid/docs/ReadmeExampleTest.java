package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the README compiles, runs, and prints what the README says it prints. */
final class ReadmeExampleTest {
  @TempDir Path directory;

  @Test
  void theReadmesExampleRuns() throws Exception {
    Example example = Example.of(Project.ROOT.resolve("README.md"));

    assertThat(example.run(directory)).isEqualTo(example.printed());
    assertThat(example.source().lines().filter(line -> !line.isBlank()).count())
        .as("a newcomer reads it at a glance")
        .isLessThanOrEqualTo(22);
  }
}
