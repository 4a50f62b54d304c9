package io.canopygrid.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console by their paths. They are read once, and a path is looked up among those
 * that there are: so no path leads to anything else. Thread-safe.
 */
public final class ConsoleFiles {
  /** The beginning of the paths of all files. */
  public static final String PREFIX = "/console/";

  /**
   * The policy that browsers keep: scripts and styles are the files here and none in the page,
   * nothing comes from elsewhere, no text becomes a script, and no other page has this one in it.
   */
  public static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private static final List<String> NAMES =
      List.of(
          "index.html",
          "console.css",
          "icon.svg",
          "app.js",
          "api.js",
          "changes.js",
          "chart.js",
          "figures.js",
          "format.js",
          "heatmap.js",
          "hot.js",
          "indexes.js",
          "jobs.js",
          "live.js",
          "nodes.js",
          "page.js",
          "reshape.js",
          "table.js",
          "screens/config.js",
          "screens/data.js",
          "screens/explain.js",
          "screens/heat.js",
          "screens/jobs.js",
          "screens/nodes.js",
          "screens/overview.js",
          "screens/placement.js",
          "screens/shape.js",
          "screens/transactions.js",
          "libraries/uplot/uPlot.iife.min.js",
          "libraries/uplot/uPlot.min.css",
          "libraries/uplot/LICENSE",
          "libraries/d3-hierarchy/d3-hierarchy.min.js",
          "libraries/d3-hierarchy/LICENSE");

  private static final String WITHOUT_SLASH = PREFIX.substring(0, PREFIX.length() - 1);
  private static final Map<String, ConsoleFile> FILES = read();

  private ConsoleFiles() {}

  private static Map<String, ConsoleFile> read() {
    Map<String, ConsoleFile> files = new LinkedHashMap<>();
    for (String name : NAMES) {
      try (InputStream in = ConsoleFiles.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException("a file of the console is missing: " + name);
        }
        files.put(PREFIX + name, ConsoleFile.of(name, in.readAllBytes()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    files.put(PREFIX, files.get(PREFIX + "index.html"));
    return Map.copyOf(files);
  }

  /** Reads all files before anybody asks for one, as a thread of the network must not. */
  public static void load() {
    Objects.requireNonNull(FILES.get(PREFIX));
  }

  /** Whether a path is the first page's, but for its last slash, which links in it need. */
  public static boolean lacksSlash(String path) {
    return path.equals(WITHOUT_SLASH);
  }

  /** Whether a path is one of the console's, be there a file or not. */
  public static boolean isPath(String path) {
    return path.startsWith(PREFIX) || path.equals(WITHOUT_SLASH);
  }

  /** The file of a path as a request has it, without its query; null: there is none. */
  public static @Nullable ConsoleFile find(String path) {
    return FILES.get(path);
  }

  /** The names of all files below the prefix. */
  static List<String> names() {
    return NAMES;
  }
}
