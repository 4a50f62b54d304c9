package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the page about maps compiles, runs, and prints what the page says. */
final class MapsPageTest {
  @TempDir Path directory;

  @Test
  void theExampleRuns() throws Exception {
    Path pages = Project.ROOT.resolve("docs").resolve("learn");
    Example example = Example.of(pages.resolve("maps.md"));

    assertThat(example.run(directory)).isEqualTo(example.printed());
  }
}
