package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The README says what the sample application has, which CI builds and runs: the lines of its
 * build, its program, and the options of its JVM.
 */
final class SampleTest {
  private static final Path SAMPLE = Project.ROOT.resolve("docs").resolve("sample");

  private final String readme = Project.read(Project.ROOT.resolve("README.md"));
  private final String gettingStarted =
      Project.read(Project.ROOT.resolve("docs").resolve("learn").resolve("getting-started.md"));
  private final String pom = Project.read(SAMPLE.resolve("pom.xml"));

  @Test
  void theReadmesMavenLinesAreThoseOfTheSample() {
    List<String> lines = block("xml", readme).lines().map(String::strip).toList();
    List<String> ofSample = pom.lines().map(String::strip).toList();

    assertThat(lines).contains("<artifactId>canopy-bom</artifactId>");
    assertThat(ofSample).containsSubsequence(lines.stream().filter(l -> !l.isEmpty()).toList());
    assertThat(lines).contains("<version>" + version() + "</version>");
  }

  @Test
  void theReadmesGradleLinesNameTheSameArtifacts() {
    List<String> ofMaven = found("<artifactId>(canopy-[a-z-]*)</artifactId>", block("xml", readme));

    assertThat(found("io\\.canopygrid:(canopy-[a-z-]*)", block("groovy", readme)))
        .isEqualTo(ofMaven);
    assertThat(block("groovy", readme)).contains("canopy-bom:" + version());
  }

  @Test
  void theReadmesExampleIsTheSamplesProgram() {
    Path program = SAMPLE.resolve("src").resolve("main").resolve("java").resolve("Transfer.java");

    assertThat(block("java", readme)).isEqualTo(Project.read(program));
  }

  @Test
  void usersAreToldTheOptionsThatTheScriptGivesToTheJvm() {
    String script = Project.read(Project.ROOT.resolve("canopy"));
    for (String variable : List.of("quiet", "inlining")) {
      String options = found(variable + "=\\((-[^)]*)\\)", script).get(0);
      assertThat(List.of(readme, gettingStarted))
          .allSatisfy(page -> assertThat(page).contains(options));
    }
  }

  private static String version() {
    String root = Project.read(Project.ROOT.resolve("pom.xml"));
    return found("<version>([^<]*)</version>", root).get(0);
  }

  /** The first block of a page in this language. */
  private static String block(String language, String page) {
    List<String> blocks = found("(?s)```" + language + "\\R(.*?)```", page);
    assertThat(blocks).as(language).isNotEmpty();
    return blocks.get(0);
  }

  private static List<String> found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.results().map(result -> result.group(1)).toList();
  }
}
