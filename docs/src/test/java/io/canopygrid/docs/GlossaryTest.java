package io.canopygrid.docs;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The glossary explains each word once, and the classes that it names are there. */
final class GlossaryTest {
  private static final String PAGE =
      Project.read(Project.ROOT.resolve("docs/internals/glossary.md"));
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (?!word )([^|]+) \\|.*\\| ([^|]+) \\|$");
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*)[.\\w]*`");

  @Test
  void eachWordHasOneRow() {
    List<String> words = ROW.matcher(PAGE).results().map(row -> row.group(1)).toList();
    assertThat(words).hasSizeGreaterThan(40).doesNotHaveDuplicates();
  }

  @Test
  void eachClassIsThere() {
    List<String> named =
        ROW.matcher(PAGE)
            .results()
            .flatMap(row -> CLASS.matcher(row.group(2)).results())
            .map(name -> name.group(1) + ".java")
            .toList();
    Set<String> sources =
        Project.files(".java").stream()
            .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
            .map(file -> file.getFileName().toString())
            .collect(toSet());
    assertThat(named).hasSizeGreaterThan(40).allSatisfy(name -> assertThat(sources).contains(name));
  }
}
