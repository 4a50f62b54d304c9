package io.canopygrid.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code on the page about tests is that of the sample project, whose tests are run here too. */
final class TestingPageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Path SAMPLE = ROOT.resolve("docs/sample/junit");

  @Test
  void thePageShowsTheSample() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/learn/testing.md"));
    List<MatchResult> blocks =
        Pattern.compile("`(pom\\.xml|src/[A-Za-z/.]+)`[^`]*```\\w+\\R(.*?)```", Pattern.DOTALL)
            .matcher(page)
            .results()
            .toList();

    assertThat(blocks).extracting(block -> block.group(1)).hasSize(4).doesNotHaveDuplicates();
    for (MatchResult block : blocks) {
      assertThat(block.group(2))
          .as(block.group(1))
          .isEqualTo(Files.readString(SAMPLE.resolve(block.group(1))));
    }
  }
}
