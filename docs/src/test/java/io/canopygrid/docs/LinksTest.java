package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link and citation of one of the project's pages leads to a page, and to its heading. */
final class LinksTest {
  private static final Pattern CITED_PAGE =
      Pattern.compile("(?<![\\w./-])docs/[\\w/-]+(?:\\.(?:md|py)\\b)?");
  private static final List<String> CITING =
      List.of(".java", ".xml", ".service", ".env", ".yaml", "/canopy", "/run", "/benchmark");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void linksBetweenPagesResolve() {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Project.files(".md")) {
      for (String link : Markdown.of(page).links()) {
        if (!link.contains("://")) {
          links++;
          if (!leadsSomewhere(page, link)) {
            broken.add(Project.ROOT.relativize(page) + " -> " + link);
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).as("links found at all").isPositive();
  }

  @Test
  void everyPageIsReachedFromTheReadme() {
    Set<Path> reached = new HashSet<>();
    Deque<Path> next = new ArrayDeque<>(List.of(Project.ROOT.resolve("README.md")));
    while (!next.isEmpty()) {
      Path page = next.pop();
      if (reached.add(page)) {
        Markdown.of(page).links().stream()
            .filter(link -> !link.contains("://"))
            .map(link -> page.resolveSibling(link.replaceFirst("#.*", "")).normalize())
            .filter(target -> target.toString().endsWith(".md"))
            .forEach(next::push);
      }
    }
    List<Path> pages =
        Project.files(".md").stream()
            .filter(page -> page.startsWith(Project.ROOT.resolve("docs")))
            .toList();
    assertThat(reached).containsAll(pages);
  }

  private boolean leadsSomewhere(Path page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return hash < 0
        || anchors
            .computeIfAbsent(target, of -> Markdown.of(of).anchors())
            .contains(link.substring(hash + 1));
  }

  /** A decision may be cited by its number alone: {@code docs/decisions/0006}. */
  @Test
  void pagesThatSourcesCiteExist() {
    List<String> broken = new ArrayList<>();
    for (String ending : CITING) {
      for (Path file : Project.files(ending)) {
        Matcher cited = CITED_PAGE.matcher(Project.read(file));
        while (cited.find()) {
          if (!isThere(cited.group())) {
            broken.add(Project.ROOT.relativize(file) + " -> " + cited.group());
          }
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean isThere(String cited) {
    Path target = Project.ROOT.resolve(cited);
    if (Files.exists(target)) {
      return true;
    }
    return cited.matches("docs/decisions/\\d{4}")
        && Project.files(".md").stream().anyMatch(page -> page.toString().startsWith(target + "-"));
  }
}
