package io.canopygrid.docs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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
          "NOTICE",
          "canopy",
          "target");

  private static final int LINES_MAX = 500;
  private static final int METHOD_LINES_MAX = 70;

  /** The libraries that users have on the class path, and their packages that are public. */
  private static final Set<String> LIBRARIES = Set.of("core", "gmu-tx", "index-btree", "client");

  private static final Set<String> API_PACKAGES =
      Set.of("io/canopygrid", "io/canopygrid/btree/embedded", "io/canopygrid/client");

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
  void noMethodIsTooLong() {
    List<String> tooLong =
        mainSources()
            .flatMap(file ->
                Methods.of(Project.read(file)).stream()
                    .filter(method -> method.lines() > METHOD_LINES_MAX)
                    .map(method -> file.getFileName() + ": " + method))
            .toList();
    assertThat(tooLong).as("more than %d lines", METHOD_LINES_MAX).isEmpty();
  }

  @Test
  void simpleNamesOfTypesAreUnique() {
    Map<String, List<String>> places =
        mainSources()
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(
                groupingBy(
                    file -> file.getFileName().toString(),
                    TreeMap::new,
                    mapping(file -> Project.ROOT.relativize(file).toString(), toList())));
    places.values().removeIf(files -> files.size() == 1);
    assertThat(places.keySet()).as("one word for two things: %s", places).isEmpty();
  }

  @Test
  void packagesOfTheLibrariesSayThatTheyAreInternal() {
    List<Path> silent =
        mainSources()
            .filter(file -> file.endsWith("package-info.java"))
            .map(Project.ROOT::relativize)
            .filter(file -> LIBRARIES.contains(file.getName(0).toString()))
            .filter(file -> isOfPublishedModule(file) && !isOfApi(file))
            .filter(file ->
                !Project.read(Project.ROOT.resolve(file))
                    .toLowerCase(Locale.ROOT)
                    .contains("internal"))
            .toList();
    assertThat(silent).as("neither in the list of API packages nor internal").isEmpty();
  }

  /** Modules below a library, as its simulation, are not on the class path of users. */
  private static boolean isOfPublishedModule(Path file) {
    return file.getName(1).toString().equals("src");
  }

  private static boolean isOfApi(Path file) {
    String path = file.toString().replace('\\', '/');
    return API_PACKAGES.stream()
        .anyMatch(api -> path.endsWith("src/main/java/" + api + "/package-info.java"));
  }

  private static Stream<Path> mainSources() {
    return Project.files(".java").stream()
        .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"));
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
