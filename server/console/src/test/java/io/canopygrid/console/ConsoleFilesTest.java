package io.canopygrid.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the console are all there, and are as its policy says. */
final class ConsoleFilesTest {
  private static final Path SOURCES = Path.of("src/main/resources/io/canopygrid/console");
  private static final Pattern REFERENCE =
      Pattern.compile("(?:src|href)=\"([^\"#]+)\"|(?:from|import) '([^']+)'|import\\('([^']+)'\\)");

  private static List<Path> ownFiles() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static String text(String path) {
    return new String(Objects.requireNonNull(ConsoleFiles.find(path)).bytes(), UTF_8);
  }

  @Test
  void eachFileIsServedAndNoOther() throws IOException {
    List<String> own =
        ownFiles().stream().map(file -> SOURCES.relativize(file).toString()).toList();
    assertThat(ConsoleFiles.names().stream().filter(name -> !name.startsWith("libraries/")))
        .containsExactlyInAnyOrderElementsOf(own);
    assertThat(ConsoleFiles.names())
        .allSatisfy(name ->
            assertThat(Objects.requireNonNull(ConsoleFiles.find("/console/" + name)).bytes())
                .as(name)
                .isNotEmpty());
  }

  @Test
  void theFirstPageIsAtThePrefix() {
    assertThat(ConsoleFiles.find("/console/")).isEqualTo(ConsoleFiles.find("/console/index.html"));
    assertThat(text("/console/")).startsWith("<!DOCTYPE html>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console",
        "/console/../console/app.js",
        "/console/ConsoleFiles.class",
        "/console/screens",
        "/console/screens/",
        "/console//app.js",
        "/console/%61pp.js",
        "/console/../../../META-INF/LICENSE",
        "/console/..%2fConsoleFiles.class",
        "/console/app.js\u0000"
      })
  void noOtherPathLeadsToAFile(String path) {
    assertThat(ConsoleFiles.find(path)).isNull();
  }

  /** A file names only others of these files: nothing comes from elsewhere. */
  @Test
  void filesNameOnlyFilesThatAreThere() throws IOException {
    int references = 0;
    for (Path file : ownFiles()) {
      URI at = URI.create("/console/").resolve(SOURCES.relativize(file).toString());
      Matcher reference = REFERENCE.matcher(Files.readString(file));
      while (reference.find()) {
        String named =
            Stream.of(reference.group(1), reference.group(2), reference.group(3))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        assertThat(ConsoleFiles.find(at.resolve(named).getPath()))
            .as("%s names %s", file, named)
            .isNotNull();
        references++;
      }
    }
    assertThat(references).isGreaterThan(50);
  }

  /** The policy would stop these in a browser; here they are found before. */
  @Test
  void noFileHasWhatThePolicyForbids() throws IOException {
    assertThat(ConsoleFiles.POLICY).startsWith("default-src 'none'; ").doesNotContain("unsafe");
    for (Path file : ownFiles()) {
      assertThat(Files.readString(file))
          .as(file.toString())
          .doesNotContain("innerHTML", "insertAdjacentHTML", "eval(", "document.write")
          .doesNotContain("style=\"", "<style", "onclick=\"", "https://", "url(")
          .doesNotContainPattern("<script(?![^>]* src=)");
    }
  }

  @Test
  void theTagIsOfTheBytes() {
    ConsoleFile one = ConsoleFile.of("a.js", new byte[] {1});
    ConsoleFile other = ConsoleFile.of("a.js", new byte[] {2});
    assertThat(one.tag()).matches("\"[0-9a-f]{32}\"").isNotEqualTo(other.tag());
    assertThat(one.isNamedIn(one.tag())).isTrue();
    assertThat(one.isNamedIn("\"x\", W/" + one.tag())).isTrue();
    assertThat(one.isNamedIn("*")).isTrue();
    assertThat(one.isNamedIn(other.tag())).isFalse();
    assertThat(one.isNamedIn("")).isFalse();
  }

  @Test
  void theLicencesOfLibrariesComeWithThem() {
    assertThat(text("/console/libraries/uplot/LICENSE")).contains("Leon Sorokin");
    assertThat(text("/console/libraries/d3-hierarchy/LICENSE")).contains("Mike Bostock");
  }
}
