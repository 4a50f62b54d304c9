package io.canopygrid.ycsb.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Temporary data directories of the nodes of a cluster. */
final class Directories {
  private final Path all;

  private Directories(Path all) {
    this.all = all;
  }

  /**
   * Makes a directory for those of all nodes.
   *
   * @param below the directory that it is made in; null: the one for temporary files
   */
  static Directories make(@Nullable Path below) throws IOException {
    return new Directories(
        below == null
            ? Files.createTempDirectory("canopy-data-")
            : Files.createTempDirectory(below, "canopy-data-"));
  }

  /** The directory of a node, which makes it itself. */
  Path of(int node) {
    return all.resolve("node" + (node + 1));
  }

  /** Removes all directories and what is in them. */
  void remove() throws IOException {
    List<Path> paths;
    try (Stream<Path> found = Files.walk(all)) {
      paths = found.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException gone) {
      return;
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
