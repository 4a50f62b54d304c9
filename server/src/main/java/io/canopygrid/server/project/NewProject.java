package io.canopygrid.server.project;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.release.Release;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * A project that is made from the files of this package.
 *
 * @param name the artifact, and the cluster of its nodes
 */
record NewProject(Path directory, String name, String packageName) {
  private static final String NAMES = "[a-z][a-z0-9]*(-[a-z0-9]+)*";
  private static final int NAME_MAX = 60;

  /**
   * The project with the name of a directory.
   *
   * @param packageName null: as the project, without hyphens
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} for names that Maven or Java do not
   *     take, and a directory that has files
   */
  static NewProject of(Path directory, @Nullable String packageName) {
    Path last = directory.toAbsolutePath().normalize().getFileName();
    String name = last == null ? "" : last.toString().toLowerCase(Locale.ROOT);
    if (!name.matches(NAMES) || name.length() > NAME_MAX) {
      throw wrong(
          "the directory's name becomes the project's: letters of a to z, digits and single"
              + " hyphens in between, at most "
              + NAME_MAX
              + ", not '"
              + name
              + "'");
    }
    String chosen = packageName == null ? name.replace("-", "") : packageName;
    if (!SourceVersion.isName(chosen, SourceVersion.RELEASE_17) || chosen.startsWith("java.")) {
      throw wrong("'" + chosen + "' is no name of a package; name one with --package");
    }
    return new NewProject(directory, name, chosen);
  }

  /**
   * Writes it.
   *
   * @return its files
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where there are files, or none can
   *     be written
   */
  List<Path> write() {
    try {
      Files.createDirectories(directory);
      try (DirectoryStream<Path> there = Files.newDirectoryStream(directory)) {
        if (there.iterator().hasNext()) {
          throw wrong("there are files in " + directory + " already: name another directory");
        }
      }
      List<Path> written = new ArrayList<>();
      for (Map.Entry<String, String> file : files().entrySet()) {
        Path target = directory.resolve(file.getKey());
        Files.createDirectories(target.getParent());
        Files.writeString(target, content(file.getValue()));
        written.add(target);
      }
      return written;
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "the project cannot be written to " + directory + ": " + e,
          e);
    }
  }

  /** The files of the project, and those that they are made from. */
  private Map<String, String> files() {
    String path = packageName.replace('.', '/');
    Map<String, String> files = new LinkedHashMap<>();
    files.put("pom.xml", "project.xml");
    files.put("README.md", "README.md");
    files.put(".gitignore", "gitignore");
    files.put(".mvn/jvm.config", "jvm.config");
    files.put("src/main/java/" + path + "/Orders.java", "Orders.java");
    files.put("src/main/java/" + path + "/Shop.java", "Shop.java");
    files.put("src/main/resources/simplelogger.properties", "simplelogger.properties");
    files.put("src/test/java/" + path + "/OrdersTest.java", "OrdersTest.java");
    return files;
  }

  private String content(String source) {
    try (InputStream in = NewProject.class.getResourceAsStream(source)) {
      if (in == null) {
        throw new IllegalStateException(source + " is not on the class path: incomplete build");
      }
      return new String(in.readAllBytes(), UTF_8)
          .replace("{package}", packageName)
          .replace("{name}", name)
          .replace("{version}", Release.version());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CanopyException wrong(String what) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, what);
  }
}
