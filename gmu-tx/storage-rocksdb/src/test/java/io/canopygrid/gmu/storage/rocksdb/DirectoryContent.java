package io.canopygrid.gmu.storage.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of a data directory that is not open. */
final class DirectoryContent {
  private DirectoryContent() {}

  /** The engine's files whose names end with a text, in the order of their numbers. */
  static List<Path> engineFiles(Path directory, String end) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("engine"))) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  /** The segments of the log, in the order of their numbers. */
  static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("log"))) {
      return files.sorted().toList();
    }
  }

  /** Copies a directory with all that is in it. */
  static Path copy(Path directory, Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(directory.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
    return copy;
  }
}
