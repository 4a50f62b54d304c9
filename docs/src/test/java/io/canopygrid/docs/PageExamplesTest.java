package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of some pages compile, run, and print what the pages say. */
final class PageExamplesTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"maps.md", "change-feeds.md", "clones.md", "global-transactions.md"})
  void theExampleRuns(String page) throws Exception {
    Path pages = Project.ROOT.resolve("docs").resolve("learn");
    Example example = Example.of(pages.resolve(page));

    assertThat(example.run(directory)).isEqualTo(example.printed());
  }
}
