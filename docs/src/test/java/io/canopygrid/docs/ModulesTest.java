package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
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
