package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Code stands in the module that it belongs to: the product in main code, only tests in it. */
final class ModulesTest {
  @Test
  void noModuleUsesTheTestsOfAnother() {
    List<String> users =
        Project.files("pom.xml").stream()
            .filter(pom -> Project.read(pom).contains("test-jar"))
            .map(Path::toString)
            .toList();
    assertThat(users).as("code that two modules need is main code of a third").isEmpty();
  }

  /** A module that is published has only such under it, so that its users find all. */
  @Test
  void theListOfVersionsNamesWhatIsPublished() {
    List<String> published =
        Project.files("pom.xml").stream()
            .filter(pom -> !pom.startsWith(Project.ROOT.resolve("docs").resolve("sample")))
            .map(Project::read)
            .filter(pom -> !pom.contains("<packaging>pom</packaging>"))
            .filter(pom -> !pom.contains("<maven.deploy.skip>true</maven.deploy.skip>"))
            .toList();
    Set<String> listed = canopyArtifacts(bom());

    assertThat(published.stream().map(ModulesTest::ownArtifact).toList())
        .containsExactlyInAnyOrderElementsOf(listed);
    for (String pom : published) {
      String dependencies = pom.substring(pom.indexOf("<dependencies>"));
      String ofUsers =
          dependencies.replaceAll(
              "(?s)<dependency>((?!</dependency>).)*" + "<scope>test</scope>.*?</dependency>", "");
      assertThat(listed).as(ownArtifact(pom)).containsAll(canopyArtifacts(ofUsers));
    }
  }

  private static String bom() {
    String bom = Project.read(Project.ROOT.resolve("core").resolve("bom").resolve("pom.xml"));
    return bom.substring(bom.indexOf("<dependencyManagement>"));
  }

  private static String ownArtifact(String pom) {
    String rest = pom.substring(pom.indexOf("</parent>"));
    return rest.substring(rest.indexOf("<artifactId>") + 12, rest.indexOf("</artifactId>"));
  }

  private static Set<String> canopyArtifacts(String pom) {
    return Pattern.compile("<artifactId>(canopy-[^<]*)</artifactId>")
        .matcher(pom)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theIntegrationTestsHaveNoMainCode() {
    Path main = Project.ROOT.resolve("it").resolve("src").resolve("main");
    List<Path> code = Project.files("").stream().filter(file -> file.startsWith(main)).toList();
    assertThat(code).as("it belongs into a submodule").isEmpty();
  }

  @Test
  void theCheckerOfHistoriesKnowsNothingOfCanopy() {
    String pom = Project.read(Project.ROOT.resolve("it").resolve("history").resolve("pom.xml"));
    String dependencies = pom.substring(pom.indexOf("<dependencies>"));
    assertThat(dependencies).doesNotContain("io.canopygrid");
  }
}
