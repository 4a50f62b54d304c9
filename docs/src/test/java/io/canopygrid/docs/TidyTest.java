package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The house stays tidy: what stands where, how long a file may be, and how prose reads. */
final class TidyTest {
  private static final Set<String> TOP_LEVEL =
      Set.of(
          "pom.xml",
          "core",
          "index-btree",
          "gmu-tx",
          "server",
          "client",
          "ycsb-binding",
          "it",
          "docs",
          "README.md",
          "CHANGELOG.md",
          "LICENSE",
          "canopy",
          "target");

  private static final int LINES_MAX = 500;

  @Test
  void onlyTheNamedThingsStandAtTheTop() throws IOException {
    try (Stream<Path> entries = Files.list(Project.ROOT)) {
      List<String> strangers =
          entries
              .map(entry -> entry.getFileName().toString())
              .filter(name -> !name.startsWith(".") && !TOP_LEVEL.contains(name))
              .toList();
      assertThat(strangers).isEmpty();
    }
  }

  @Test
  void noSourceFileIsTooLong() {
    List<String> tooLong =
        Project.files(".java").stream()
            .filter(file -> Project.read(file).lines().count() > LINES_MAX)
            .map(Path::toString)
            .toList();
    assertThat(tooLong).as("more than %d lines: which two things are in it?", LINES_MAX).isEmpty();
  }

  @Test
  void nothingIsLeftForLater() {
    String mark = "TO" + "DO";
    String otherMark = "FIX" + "ME";
    List<String> left =
        Project.files(".java").stream()
            .filter(
                file -> Project.read(file).contains(mark) || Project.read(file).contains(otherMark))
            .map(Path::toString)
            .toList();
    assertThat(left).isEmpty();
  }

  @Test
  void proseWrapsAtAHundredColumns() {
    Map<Path, List<String>> wide = new TreeMap<>();
    pages().forEach(page -> wide.put(page, Prose.wideLines(Markdown.of(page))));
    wide.values().removeIf(List::isEmpty);
    assertThat(wide).as("wider than %d columns", Prose.COLUMNS_MAX).isEmpty();
  }

  @Test
  void sentencesOfPagesNameTheirSubject() {
    Map<Path, List<String>> riddles = new TreeMap<>();
    pages().forEach(page -> riddles.put(page, Prose.riddles(Markdown.of(page))));
    riddles.values().removeIf(List::isEmpty);
    assertThat(riddles).isEmpty();
  }

  @Test
  void sentencesOfCommentsNameTheirSubject() {
    Map<Path, List<String>> riddles = new TreeMap<>();
    for (Path file : Project.files(".java")) {
      riddles.put(Project.ROOT.relativize(file), Prose.riddlesOfJava(Project.read(file)));
    }
    riddles.values().removeIf(List::isEmpty);
    assertThat(riddles).isEmpty();
  }

  private static List<Path> pages() {
    return Stream.concat(
            Stream.of(Project.ROOT.resolve("README.md")),
            Project.files(".md").stream()
                .filter(file -> file.startsWith(Project.ROOT.resolve("docs"))))
        .toList();
  }
}
