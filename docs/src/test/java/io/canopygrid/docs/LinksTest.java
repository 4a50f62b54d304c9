package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link from one of the project's pages to a file of the project leads somewhere. */
final class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");

  @Test
  void linksBetweenPagesResolve() {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Project.files(".md")) {
      Matcher link = LINK.matcher(Project.read(page));
      while (link.find()) {
        String target = link.group(1);
        if (target.contains("://")) {
          continue;
        }
        links++;
        if (!Files.exists(page.resolveSibling(target))) {
          broken.add(Project.ROOT.relativize(page) + " -> " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).as("links found at all").isPositive();
  }
}
