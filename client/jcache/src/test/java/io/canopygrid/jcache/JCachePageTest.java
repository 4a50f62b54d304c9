package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import shop.Books;

/** The page about JCache shows the sample program, which is run here, and what the kit says. */
final class JCachePageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Path SAMPLE = ROOT.resolve("docs/sample/jcache");

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/learn/jcache.md"));
  }

  @Test
  void thePageShowsTheSample() throws IOException {
    List<MatchResult> blocks =
        Pattern.compile("`(pom\\.xml|src/[A-Za-z/.]+)`[^`]*```\\w+\\R(.*?)```", Pattern.DOTALL)
            .matcher(page())
            .results()
            .toList();

    assertThat(blocks).extracting(block -> block.group(1)).hasSize(2).doesNotHaveDuplicates();
    for (MatchResult block : blocks) {
      assertThat(block.group(2))
          .as(block.group(1))
          .isEqualTo(Files.readString(SAMPLE.resolve(block.group(1))));
    }
  }

  @Test
  void theSampleRunsAsThePageSays() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Books.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    String line = printed.toString(StandardCharsets.UTF_8).strip();
    assertThat(line).isEqualTo("2 left of SICP");
    assertThat(page()).contains("prints `" + line + "`");
  }

  /** The tests that are left out, by class and reason, are the rows of the page's last table. */
  @Test
  void thePageSaysWhatOfTheKitIsLeftOut() throws Exception {
    Map<String, Integer> out = new TreeMap<>();
    int passed = 0;
    for (Class<?> one : Tck.classes()) {
      for (var test : Tck.tests(one)) {
        String reason = Tck.reason(one, test);
        if (reason == null) {
          passed++;
        } else {
          out.merge("`" + Tck.shortName(one) + "` | %d | " + reason + " |", 1, Integer::sum);
        }
      }
    }
    String table =
        out.entrySet().stream()
            .map(row -> "| " + row.getKey().replace("%d", row.getValue().toString()) + "\n")
            .reduce("", String::concat);
    assertThat(page()).endsWith("| left out | tests | why |\n|---|---|---|\n" + table);
    assertThat(page()).contains("(`TckTest`). " + passed + " pass, none fails.");
  }
}
