package io.canopygrid.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the checkout, as the tests of this module see them. */
final class Project {
  /** Its root: the directory above this module. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Project() {}

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All files with this ending that are not built, sorted. */
  static List<Path> files(String ending) {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(Files::isRegularFile)
          .filter(f -> f.toString().endsWith(ending))
          .filter(f -> isSource(ROOT.relativize(f)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path relative) {
    for (Path part : relative) {
      if (part.toString().equals("target") || part.toString().equals(".git")) {
        return false;
      }
    }
    return true;
  }
}
