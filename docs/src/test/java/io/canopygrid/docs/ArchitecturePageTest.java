package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/ARCHITECTURE.md names all decisions, and its tour of the source leads where it says. */
final class ArchitecturePageTest {
  private static final Path PAGE = Project.ROOT.resolve("docs/ARCHITECTURE.md");
  private static final String TOUR = "## The tour: five questions";

  /** {@code [`Class.member`](path)}. */
  private static final Pattern STATION = Pattern.compile("\\[`(\\w+)\\.(\\w+)`\\]\\(([^)]+)\\)");

  @Test
  void everyDecisionIsLinked() {
    List<String> links = Markdown.of(PAGE).links();
    List<String> missing =
        Project.files(".md").stream()
            .filter(page -> Project.ROOT.relativize(page).startsWith("docs/decisions"))
            .map(page -> "decisions/" + page.getFileName())
            .filter(decision -> !links.contains(decision))
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void theTourAnswersFiveQuestions() {
    String tour = Project.read(PAGE).split(Pattern.quote(TOUR), 2)[1].split("\n## ", 2)[0];
    List<MatchResult> stations = STATION.matcher(tour).results().toList();
    assertThat(stations).hasSize(5);
    assertThat(stations).allSatisfy(ArchitecturePageTest::leadsToItsMember);
  }

  private static void leadsToItsMember(MatchResult station) {
    Path file = PAGE.resolveSibling(station.group(3)).normalize();
    assertThat(file).hasFileName(station.group(1) + ".java");
    assertThat(Files.exists(file)).as("%s exists", file).isTrue();
    Pattern declaration =
        Pattern.compile(
            "(?m)^ {2,}[\\w<>@?, .\\[\\]]*[\\w>\\]] " + station.group(2) + "(?:\\(| =)");
    assertThat(Project.read(file)).containsPattern(declaration);
  }
}
