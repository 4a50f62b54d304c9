package io.canopygrid.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files that the build has made. */
final class Built {
  private Built() {}

  /** The one file whose name ends so. */
  static Path endingWith(String suffix) throws IOException {
    try (Stream<Path> built = Files.list(Path.of(System.getProperty("canopy.packages")))) {
      return built.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }
}
