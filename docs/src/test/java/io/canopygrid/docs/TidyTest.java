package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The house stays tidy: what stands where, and how long a file may be. */
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
}
