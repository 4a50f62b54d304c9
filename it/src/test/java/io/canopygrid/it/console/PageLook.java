package io.canopygrid.it.console;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The look of a page in light and in dark: to a tool for accessibility, and in pictures. */
final class PageLook {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> SCHEMES = List.of("light", "dark");
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final String PICTURES = System.getProperty("canopy.pictures", "");
  private static final int HEIGHT = 800;

  /** Pictures are of a cluster that works; seconds until the charts have something to show. */
  private static final int PICTURE_SECONDS = 12;

  private final Browser browser;
  private final int width;

  /** The look of a page of this width. */
  PageLook(Browser browser, int width) {
    this.browser = browser;
    this.width = width;
  }

  /** The number in a text with commas and units. */
  static long number(String text) {
    return Long.parseLong(text.replaceAll("[^0-9]", ""));
  }

  /** Whether pictures are asked for. */
  static boolean isDrawn() {
    return !PICTURES.isEmpty();
  }

  /** The serious faults of accessibility, in each of the schemes. */
  List<String> faults() throws IOException {
    try (InputStream in = Objects.requireNonNull(PageLook.class.getResourceAsStream(AXE))) {
      browser.evaluate(new String(in.readAllBytes(), StandardCharsets.UTF_8) + "; true");
    }
    List<String> faults = new ArrayList<>();
    for (String scheme : SCHEMES) {
      browser.look(width, scheme);
      JsonNode found =
          browser.evaluate(
              "axe.run().then((result) => result.violations.filter((one) => ['serious', 'critical']"
                  + ".includes(one.impact)).map((one) => one.id + ': ' + one.nodes.map((node) =>"
                  + " node.html).join(' ')))");
      for (String fault : JSON.convertValue(found, new TypeReference<List<String>>() {})) {
        faults.add(scheme + ": " + fault);
      }
    }
    return faults;
  }

  /** Writes pictures of a screen where they are asked for. */
  void takePictures(String screen) throws IOException, InterruptedException {
    if (!isDrawn()) {
      return;
    }
    if (screen.equals("overview")) {
      TimeUnit.SECONDS.sleep(PICTURE_SECONDS);
    }
    Path all = Files.createDirectories(Path.of(PICTURES));
    for (String scheme : SCHEMES) {
      browser.look(width, scheme);
      if (screen.startsWith("heat")) {
        takePictureOf("h-hot-entries", "hot-" + scheme + ".png", all);
      }
      String name = screen.replaceFirst("\\?.*", "") + "-" + scheme + ".png";
      Files.write(all.resolve(name), browser.picture(width, HEIGHT));
    }
  }

  /** Writes a picture from a heading on. */
  private void takePictureOf(String heading, String name, Path all) throws IOException {
    int top =
        browser
            .evaluate(
                "Math.floor(document.getElementById('%s').getBoundingClientRect().top + scrollY) - 30"
                    .formatted(heading))
            .asInt();
    Files.write(all.resolve(name), browser.picture(top, width, HEIGHT));
  }
}
